import { parse } from 'unbash';
import { createFolder, type Folder } from '../folder.ts';
import { hasForbiddenCharacters } from './field.ts';
import { hasOddLineEnd } from './line-ends.ts';
import type { RuleName } from './rules.ts';
import type { State } from './state.ts';
import type { Walk } from './walk.ts';
import { walkFunctionBody, walkScript } from './walk-script.ts';

export type Decision = { readonly decision: 'approve' } | { readonly decision: 'block'; readonly reason: string };

export interface BashValidatorOptions {
  /** The folder that the command runs in and may not leave. Without it no link is resolved and every absolute path is outside. */
  readonly root?: string | undefined;
  /** Programs that are allowed besides the built-in list, each perhaps with its first arguments: `terraform plan`. */
  readonly allow?: readonly string[] | undefined;
  /** Where in the folder the command starts. Default: the root. */
  readonly cwd?: string | undefined;
  /** Refuses whatever writes. */
  readonly readOnly?: boolean | undefined;
}

/**
 * Decides whether an agent may run a shell command: the blocklist first, then the allowlist. What cannot be understood
 * is blocked. Reads links below the root, changes nothing, never throws.
 */
export function validateBashCommand(command: string, options: BashValidatorOptions = {}): Decision {
  const found: { rule: RuleName | null; command: string | null } = { rule: null, command: null };
  try {
    judge(command, options, found);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    found.rule ??= 'unparsable-command';
  }
  if (found.rule !== null) return { decision: 'block', reason: `Blocked: matches dangerous pattern '${found.rule}'` };
  if (found.command !== null) {
    return { decision: 'block', reason: `Blocked: '${found.command}' is not in the allowed command list` };
  }
  return { decision: 'approve' };
}

const MOST_CHARACTERS = 50_000;
const MOST_STEPS = 5_000;
const MOST_CALLS = 16;

function judge(
  command: string,
  options: BashValidatorOptions,
  found: { rule: RuleName | null; command: string | null },
): void {
  if (command.length > MOST_CHARACTERS || hasForbiddenCharacters(command)) {
    found.rule = 'unparsable-command';
    return;
  }
  const folder = createFolder(options.root);
  let steps = 0;
  let depth = 0;
  const countStep = (): void => {
    steps += 1;
    if (steps > MOST_STEPS || depth > MOST_CALLS) throw new Error('The command has too many possibilities to look at.');
  };
  const walk: Walk = {
    folder,
    readOnly: options.readOnly ?? false,
    allow: options.allow ?? [],
    refuse: (rule) => {
      found.rule ??= rule;
    },
    notAllowed: (name) => {
      found.command ??= name;
    },
    step: countStep,
    script: (script, state) => walkScript(script, state, walk),
    body: (node, state, stdin) => {
      depth += 1;
      countStep();
      const outcome = walkFunctionBody(node, state, stdin, walk);
      depth -= 1;
      return outcome;
    },
  };
  const script = parse(command);
  if (hasOddLineEnd(command, script)) walk.refuse('unparsable-command');
  walkScript(script, startingState(folder, options.cwd), walk);
}

function startingState(folder: Folder, cwd: string | undefined): State {
  if (cwd !== undefined && folder.place(folder.root, cwd) !== 'inside') {
    throw new Error(`The command would start in ${cwd}, outside of the run's folder.`);
  }
  const start = cwd === undefined ? folder.root : folder.resolve(folder.root, cwd);
  return { folders: new Set([start]), variables: new Map(), functions: new Map() };
}

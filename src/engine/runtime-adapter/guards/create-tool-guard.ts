import { z } from 'zod';
import type { AgentRole } from '../../../domain/run.ts';
import { hasForbiddenCharacters, TILDE } from './bash/field.ts';
import { type Decision, validateBashCommand } from './bash/validate-bash-command.ts';
import { createFolder, type Folder } from './folder.ts';
import { PROTECTED_GLOBS } from './protected-paths.ts';

export type { Decision } from './bash/validate-bash-command.ts';

export interface ToolGuardOptions {
  readonly role: AgentRole;
  /** The run's folder. */
  readonly root: string;
  /** `agents.bash.allow`. */
  readonly allow?: readonly string[] | undefined;
  /** Tools that are off by default and that the configuration turns on: `WebFetch`, `mcp__docs__*`. */
  readonly extraTools?: readonly string[] | undefined;
}

/** The part of a PreToolUse event that the guard looks at. */
export interface ToolUse {
  readonly tool_name: string;
  readonly tool_input: unknown;
  /** Where the agent's shell is. */
  readonly cwd?: string | undefined;
}

/** A decision, perhaps with the input that the tool is to get instead of the agent's. */
export type ToolDecision = Decision | { readonly decision: 'approve'; readonly input: Record<string, unknown> };

/** Made for one run: decides on every use of every tool. The promise never rejects; an error blocks. */
export type ToolGuard = (event: ToolUse) => Promise<ToolDecision>;

export function createToolGuard(options: ToolGuardOptions): ToolGuard {
  return async (event) => {
    try {
      return decideToolUse(event, options);
    } catch (error) {
      return block(`the guard failed on ${event.tool_name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** The decision itself: default deny. Reads links below the root, changes nothing. Throws if the root is gone. */
export function decideToolUse(event: ToolUse, options: ToolGuardOptions): ToolDecision {
  const { tool_name: tool } = event;
  if (ALWAYS_ALLOWED.has(tool) || isConfigured(tool, options.extraTools ?? [])) return { decision: 'approve' };
  if (tool === 'Bash') return decideBash(event, options);
  const use = FILE_TOOLS.get(tool);
  if (use === undefined) return block(`the tool '${tool}' is not available to this agent`);
  if (use.writes && options.role !== 'implementor') return block(`the ${options.role} may not write files`);
  const input = use.input.safeParse(event.tool_input);
  if (!input.success) return block(`the input of ${tool} cannot be understood`);
  const decision = decidePaths(tool, input.data, createFolder(options.root));
  return decision.decision === 'approve' && tool === 'Grep' ? withoutProtected(event.tool_input) : decision;
}

/** The narrow hook of the specification, for Bash alone. */
export type BashValidatorHook = (event: {
  tool_name: string;
  tool_input: Record<string, unknown>;
}) => Promise<ToolDecision | undefined>;

/** Has no opinion on other tools. */
export function createBashValidatorHook(options: ToolGuardOptions): BashValidatorHook {
  const guard = createToolGuard(options);
  return async (event) => (event.tool_name === 'Bash' ? guard(event) : undefined);
}

function decideBash(event: ToolUse, options: ToolGuardOptions): Decision {
  const input = BashInput.safeParse(event.tool_input);
  if (!input.success) return block('the input of Bash cannot be understood');
  if (input.data.dangerouslyDisableSandbox === true) return block('commands may not leave the sandbox');
  return validateBashCommand(input.data.command, {
    root: options.root,
    allow: options.allow,
    cwd: event.cwd,
    readOnly: options.role !== 'implementor',
  });
}

function decidePaths(tool: string, paths: FileInput, folder: Folder): Decision {
  for (const path of [paths.file, ...paths.patterns]) {
    if (path === null) continue;
    if (hasForbiddenCharacters(path)) return block(`'${tool}' was given a path with control characters`);
    switch (folder.place(folder.root, path.startsWith('~') ? TILDE + path.slice(1) : path)) {
      case 'inside':
        break;
      case 'outside':
        return block(`'${path}' is outside the folder of this run`);
      case 'protected':
        return block(`'${path}' is off limits`);
      case 'unknown':
        return block(`it is not clear where '${path}' leads`);
    }
  }
  return { decision: 'approve' };
}

/** Grep looks into hidden files as well. Of several file patterns the last one that matches wins. */
function withoutProtected(input: unknown): ToolDecision {
  const { glob, ...rest } = SearchInput.parse(input);
  return { decision: 'approve', input: { ...rest, glob: [glob ?? '', ...PROTECTED_GLOBS].join(' ').trim() } };
}

function isConfigured(tool: string, extraTools: readonly string[]): boolean {
  return extraTools.some((extra) => (extra.endsWith('*') ? tool.startsWith(extra.slice(0, -1)) : tool === extra));
}

function block(why: string): Decision {
  return { decision: 'block', reason: `Blocked: ${why}` };
}

/** Tools that touch neither files nor network: the result, the to-do list, the agent's own background commands. */
const ALWAYS_ALLOWED: ReadonlySet<string> = new Set(
  'StructuredOutput TodoWrite TaskCreate TaskGet TaskUpdate TaskList TaskOutput TaskStop BashOutput KillShell'.split(
    ' ',
  ),
);

const SearchInput = z.looseObject({ glob: z.string().optional() });
const BashInput = z.object({ command: z.string(), dangerouslyDisableSandbox: z.boolean().optional() });

interface FileInput {
  /** Null: the folder itself. */
  readonly file: string | null;
  /** File patterns below it. */
  readonly patterns: readonly string[];
}

interface FileTool {
  readonly writes: boolean;
  readonly input: z.ZodType<FileInput>;
}

const byFilePath = z.object({ file_path: z.string() }).transform((input) => ({ file: input.file_path, patterns: [] }));
const byNotebook = z
  .object({ notebook_path: z.string() })
  .transform((input) => ({ file: input.notebook_path, patterns: [] }));
const bySearch = z.object({ path: z.string().optional(), glob: z.string().optional() }).transform((input) => ({
  file: input.path ?? null,
  patterns: input.glob === undefined ? [] : globParts(input.glob),
}));
const byPattern = z
  .object({ path: z.string().optional(), pattern: z.string() })
  .transform((input) => ({ file: input.path ?? null, patterns: globParts(input.pattern) }));

/** A pattern can hold alternatives: each word of it must stay inside for itself. */
function globParts(pattern: string): string[] {
  return [pattern, ...pattern.split(/[{},\s!]+/).filter((part) => part !== '')];
}

const FILE_TOOLS: ReadonlyMap<string, FileTool> = new Map([
  ['Read', { writes: false, input: byFilePath }],
  ['NotebookRead', { writes: false, input: byNotebook }],
  [
    'LS',
    { writes: false, input: z.object({ path: z.string() }).transform(({ path }) => ({ file: path, patterns: [] })) },
  ],
  ['Grep', { writes: false, input: bySearch }],
  ['Glob', { writes: false, input: byPattern }],
  ['Write', { writes: true, input: byFilePath }],
  ['Edit', { writes: true, input: byFilePath }],
  ['MultiEdit', { writes: true, input: byFilePath }],
  ['NotebookEdit', { writes: true, input: byNotebook }],
]);

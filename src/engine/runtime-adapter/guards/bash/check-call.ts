import { basename } from 'node:path';
import { checkPath, checkPossiblePath, checkProbe } from './check-path.ts';
import { type Field, isKnown, SPLIT } from './field.ts';
import { checkArguments } from './programs/check-arguments.ts';
import { FORBIDDEN_PROGRAMS } from './programs/forbidden.ts';
import type { Judge, Program } from './programs/program.ts';
import { FOLDER_PROGRAM, isKnownProgram, PROGRAMS } from './programs/table.ts';
import type { Call, Walk } from './walk.ts';

/** Judges one call of a program: the blocklist, then the allowlist and the table of the program. */
export function checkCall(call: Call, walk: Walk): void {
  const name = basename(call.name);
  const forbidden = FORBIDDEN_PROGRAMS.get(name);
  if (forbidden !== undefined) {
    walk.refuse(forbidden);
    return;
  }
  if (call.isFunction) return;
  const program = programFor(call, name, walk);
  if (program === null) {
    walk.notAllowed(call.name);
    return;
  }
  // An unquoted value may be several arguments, options among them.
  if (program.operands !== 'text' && !SAFE_WITH_ANYTHING.has(name) && call.args.some((arg) => arg.includes(SPLIT))) {
    walk.refuse('unknown-value');
  }
  const judge = createJudge(call, walk);
  if (walk.readOnly && (program.access === 'write' || program.access === 'run')) walk.refuse('read-only-role');
  program.check?.(call, judge);
  if (program.special !== true) judge.arguments(call.args, program);
}

function programFor(call: Call, name: string, walk: Walk): Program | null {
  if (!call.name.includes('/')) return PROGRAMS.get(name) ?? configured(call, walk);
  if (SYSTEM_FOLDERS.some((folder) => call.name === `${folder}/${name}`))
    return PROGRAMS.get(name) ?? configured(call, walk);
  // A file of the folder, be it the project's own script or an installed package's program.
  checkPath(call.name, call.folders, walk);
  return call.name.includes('node_modules/.bin/') ? (PROGRAMS.get(name) ?? FOLDER_PROGRAM) : FOLDER_PROGRAM;
}

const SYSTEM_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** `agents.bash.allow`: a program, or a program with its first arguments. */
function configured(call: Call, walk: Walk): Program | null {
  const words = [call.name, ...call.args];
  const isAllowed = walk.allow.some((entry) => {
    const allowed = entry.trim().split(/\s+/);
    return allowed[0] !== '' && allowed.every((word, index) => word === words[index]);
  });
  return isAllowed ? { access: 'run' } : null;
}

function createJudge(call: Call, walk: Walk): Judge {
  const judge: Judge = {
    walk,
    refuse: (rule) => walk.refuse(rule),
    path: (field) => checkPath(field, call.folders, walk),
    mayLead: (field) => checkPossiblePath(field, call.folders, walk),
    probe: (field) => checkProbe(field, call.folders, walk),
    write: () => {
      if (walk.readOnly) walk.refuse('read-only-role');
    },
    arguments: (args, program) => checkArguments(args, program, judge),
    knows: isKnownProgram,
    nested: (args) => checkNested(args, call, walk),
  };
  return judge;
}

const SAFE_WITH_ANYTHING: ReadonlySet<string> = new Set(['echo', 'test', '[']);

/** The command inside a wrapper: its name must be written down, and it cannot change the shell's own state. */
function checkNested(args: readonly Field[], call: Call, walk: Walk): void {
  const [name, ...rest] = args;
  if (name === undefined) return;
  if (!isKnown(name) || name === '') walk.refuse('non-literal-command-word');
  else if (STATEFUL.has(name) || (name === 'printf' && rest[0]?.startsWith('-v') === true))
    walk.refuse('shell-evaluation');
  else checkCall({ ...call, name, args: rest, isFunction: false }, walk);
}

/** Walked as statements of their own; behind a wrapper their effect would go unseen. */
const STATEFUL: ReadonlySet<string> = new Set(
  'cd read mapfile readarray getopts unset export declare typeset local set shift'.split(' '),
);

import { isAbsolute, join, normalize } from 'node:path';
import { checkAssignment, checkVariableName } from './assignments.ts';
import { checkPath } from './check-path.ts';
import { type Field, INSIDE, isKnown, UNKNOWN } from './field.ts';
import { type Outcome, same, type State, withFunction, withVariable } from './state.ts';
import type { Call, Walk } from './walk.ts';

type Builtin = (call: Call, state: State, walk: Walk) => Outcome;

/** Builtins that change the state of the shell. Their names are on the allowlist by being here. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map(
  Object.entries<Builtin>({
    cd: changeFolder,
    read: readLine,
    mapfile: readLines,
    readarray: readLines,
    getopts: (call, state, walk) => same(assignAll(call.args.slice(1, 2), null, state, walk)),
    unset: (call, state, walk) => {
      const names = call.args.filter((arg) => !/^-[vf]$/.test(arg));
      const unset = assignAll(names, null, state, walk);
      return same(names.reduce((before, name) => withFunction(before, name, null), unset));
    },
    export: declare,
    declare,
    typeset: declare,
    local: declare,
    printf: (call, state, walk) => {
      const names = valuesAfter(call.args, '-v');
      return same(call.args[0]?.startsWith('-v') === true ? assignAll(names, null, state, walk) : state);
    },
  }),
);

function changeFolder(call: Call, state: State, walk: Walk): Outcome {
  const operands = call.args.filter((arg) => !/^-[LPe@]*$/.test(arg) || arg === '-');
  const target = operands[0] === '--' ? operands[1] : operands[0];
  if (target === undefined || target === '-') {
    walk.refuse(target === undefined ? 'outside-folder' : 'unknown-value');
    return same(state);
  }
  checkPath(target, call.folders, walk);
  // Bash goes by names, so that `..` leads back over a link; programs go by where the link has led to.
  const folders = [...call.folders].flatMap((folder) =>
    target.includes(INSIDE)
      ? [`${folder}/${INSIDE}`]
      : [walk.folder.resolve(folder, target), isAbsolute(target) ? normalize(target) : join(folder, target)],
  );
  for (const folder of folders) checkPath(folder, call.folders, walk);
  return { ok: { ...state, folders: new Set(folders) }, failed: state };
}

function readLine(call: Call, state: State, walk: Walk): Outcome {
  const names: Field[] = [];
  let isRaw = false;
  for (let index = 0; index < call.args.length; index += 1) {
    const arg = call.args[index] ?? UNKNOWN;
    isRaw ||= /^-[es]*r/.test(arg);
    if (/^-[res]*a$/.test(arg)) names.push(call.args[(index += 1)] ?? UNKNOWN, UNUSED);
    else if (/^-[res]*[dnNptu]$/.test(arg)) index += 1;
    else if (!arg.startsWith('-')) names.push(arg);
    else if (!/^-[res]+$|^-[res]*[nNt][\d.]+$/.test(arg)) walk.refuse('dangerous-option');
  }
  // Without -r backslashes in a name vanish, and with them what made it a name inside.
  const isName = call.stdin === 'names' && isRaw && names.length === 1;
  return same(assignAll(names, isName ? [{ kind: 'scalar', value: INSIDE }] : null, state, walk));
}

/** Stands for the further elements of an array, so that it does not count as a single name. */
const UNUSED = 'unused';

function readLines(call: Call, state: State, walk: Walk): Outcome {
  const { flags, operands } = optionsOf(call.args, 'dnOsucC');
  if (flags.some((flag) => /^-[a-z]*[Cc]/.test(flag))) walk.refuse('shell-evaluation');
  return same(assignAll(operands, null, state, walk));
}

function declare(call: Call, state: State, walk: Walk): Outcome {
  const flags = call.args.filter((arg) => /^[-+]/.test(arg));
  const operands = call.args.filter((arg) => !/^[-+]/.test(arg));
  if (operands.length === 0 || flags.some((flag) => flag.includes('p'))) walk.refuse('print-environment');
  if (!flags.every((flag) => /^-[xgaf]*$/.test(flag))) walk.refuse('dangerous-assignment');
  let current = state;
  for (const operand of operands) {
    const [name = '', ...rest] = operand.split('=');
    const value = rest.join('=');
    if (rest.length === 0) {
      checkVariableName(name, walk);
      for (const known of state.variables.get(name) ?? []) {
        if (known.kind === 'scalar') checkAssignment(name, known.value, call.folders, walk);
      }
      // Without a value the variable keeps the one it has, but `local` hides it.
      if (call.name !== 'export') current = withVariable(current, name, null);
    } else {
      checkAssignment(name, value, call.folders, walk);
      current = withVariable(current, name, isKnown(value) ? [{ kind: 'scalar', value }] : null);
    }
  }
  return same(current);
}

function assignAll(
  names: readonly Field[],
  values: Parameters<typeof withVariable>[2],
  state: State,
  walk: Walk,
): State {
  return names.reduce((before, name) => {
    checkVariableName(name, walk);
    return withVariable(before, name, values);
  }, state);
}

/** Splits arguments the way getopt does; `valued` are the letters that take a value. */
function optionsOf(args: readonly Field[], valued: string): { flags: Field[]; operands: Field[] } {
  const flags: Field[] = [];
  let index = 0;
  for (; index < args.length; index += 1) {
    const arg = args[index] ?? UNKNOWN;
    if (!arg.startsWith('-') || arg === '-') break;
    flags.push(arg);
    if (arg === '--') {
      index += 1;
      break;
    }
    const takesNext =
      arg
        .slice(1, -1)
        .split('')
        .every((letter) => !valued.includes(letter)) && valued.includes(arg.slice(-1));
    if (takesNext) index += 1;
  }
  return { flags, operands: args.slice(index) };
}

function valuesAfter(args: readonly Field[], option: string): Field[] {
  return args.flatMap((arg, index) => {
    if (arg === option) return [args[index + 1] ?? UNKNOWN];
    return arg.startsWith(option) ? [arg.slice(option.length)] : [];
  });
}

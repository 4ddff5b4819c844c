import { type Field, isUnknown, SPLIT, UNKNOWN } from '../field.ts';
import type { Judge, Program } from './program.ts';

const text: Program = { operands: 'text' };

/** Programs that work on their arguments and touch no files. */
export const TEXT_PROGRAMS: Readonly<Record<string, Program>> = {
  echo: { special: true },
  printf: {
    special: true,
    // Its only dangerous option comes first: -v evaluates the index in the name of a variable.
    check: (call, judge) => {
      if (isUnknown((call.args[0] ?? '').charAt(0))) judge.refuse('unknown-value');
    },
  },
  true: text,
  false: text,
  ':': text,
  exit: text,
  return: text,
  break: text,
  continue: text,
  shift: text,
  wait: { operands: 'text', refuse: { '-p': 'arithmetic-evaluation' } },
  jobs: { operands: 'text', refuse: { '-x': 'shell-evaluation' } },
  sleep: text,
  seq: text,
  basename: text,
  dirname: text,
  tr: text,
  expr: text,
  nproc: text,
  uname: text,
  whoami: text,
  id: text,
  arch: text,
  yes: text,
  pwd: text,
  which: text,
  type: text,
  date: {
    operands: 'text',
    refuse: {
      '-s': 'dangerous-option',
      '--set': 'dangerous-option',
      '-f': 'outside-folder',
      '--file': 'outside-folder',
      '-r': 'outside-folder',
      '--reference': 'outside-folder',
    },
  },
  test: { special: true, check: (call, judge) => checkCondition(call.args, judge) },
  '[': { special: true, check: (call, judge) => checkCondition(call.args, judge) },
  set: { special: true, check: (call, judge) => checkSet(call.args, judge) },
  // Their effect on the shell is in builtins.ts; these entries put them on the allowlist.
  cd: { special: true },
  read: { special: true },
  mapfile: { special: true },
  readarray: { special: true },
  getopts: { special: true },
  unset: { special: true },
  export: { special: true },
  declare: { special: true },
  typeset: { special: true },
  local: { special: true },
};

/** `test -v 'a[$(x)]'` evaluates the index. */
function checkCondition(args: readonly Field[], judge: Judge): void {
  for (const [index, arg] of args.entries()) {
    const next = args[index + 1];
    if (/^-[b-hkprsuwxLNOSG]$/.test(arg) && next !== undefined) judge.probe(next);
    if (/^-[vR]$/.test(arg) && next !== undefined && !/^\w+$/.test(next)) judge.refuse('arithmetic-evaluation');
  }
  // An expansion could bring its own -v, unquoted ones together with its operand.
  const couldEvaluate = args.some((arg, index) => isUnknown(arg) && couldBeIndexed(args[index + 1]));
  if (couldEvaluate || args.some((arg) => arg.includes(SPLIT))) judge.refuse('unknown-value');
}

function couldBeIndexed(arg: Field | undefined): boolean {
  return arg !== undefined && (arg.includes(UNKNOWN) || arg.includes('['));
}

const OPTION_NAMES = /^(?:errexit|nounset|pipefail|xtrace|noglob|noclobber|verbose)$/;

function checkSet(args: readonly Field[], judge: Judge): void {
  if (args.length === 0 || /^[-+]o$/.test(args.at(-1) ?? '')) judge.refuse('print-environment');
  const isHarmless = args.every((arg, index) => {
    if (/^[-+][euxfnvC]*o?$/.test(arg)) return true;
    return OPTION_NAMES.test(arg) && args[index - 1]?.endsWith('o') === true;
  });
  if (!isHarmless) judge.refuse('dangerous-option');
}

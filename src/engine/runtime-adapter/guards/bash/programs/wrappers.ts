import { checkAssignment, checkVariableName } from '../assignments.ts';
import { type Field, INSIDE, isKnown, UNKNOWN } from '../field.ts';
import type { Call } from '../walk.ts';
import type { Judge, Program } from './program.ts';

function wrapper(check: (call: Call, judge: Judge) => void): Program {
  return { special: true, check };
}

/** Programs that run another one, which is judged in their place. */
export const WRAPPERS: Readonly<Record<string, Program>> = {
  env: wrapper(checkEnv),
  command: wrapper((call, judge) => {
    if (!/^-[vV]$/.test(call.args[0] ?? '')) inner(call.args, /^-p$/, null, judge);
  }),
  builtin: wrapper((call, judge) => inner(call.args, NEVER, null, judge)),
  nohup: wrapper((call, judge) => inner(call.args, NEVER, null, judge)),
  nice: wrapper((call, judge) =>
    inner(call.args, /^-\d+$|^-n-?\d+$|^--adjustment=-?\d+$/, /^-n$|^--adjustment$/, judge),
  ),
  ionice: wrapper((call, judge) => inner(call.args, /^-[cn]\d+$|^-t$/, /^-[cn]$/, judge)),
  time: wrapper((call, judge) => inner(call.args, /^-[pv]$/, /^-f$/, judge)),
  stdbuf: wrapper((call, judge) => inner(call.args, /^-[ioe][L0-9KM]+$|^--\w+=\w+$/, /^-[ioe]$/, judge)),
  timeout: wrapper((call, judge) => {
    const rest = afterOptions(
      call.args,
      /^--(?:preserve-status|foreground|verbose)$|^-[sk]\w+$|^--\w+-?\w*=\w+$/,
      /^-[sk]$/,
      judge,
    );
    if (!/^\d+(?:\.\d+)?[smhd]?$/.test(rest[0] ?? '')) judge.refuse('dangerous-option');
    judge.nested(rest.slice(1));
  }),
  xargs: wrapper(checkXargs),
  c8: wrapper(checkCoverage),
  nyc: wrapper(checkCoverage),
  'cross-env': wrapper((call, judge) => judge.nested(afterAssignments(call.args, call, judge))),
};

const NEVER = /(?!)/;

function inner(args: readonly Field[], flags: RegExp, valued: RegExp | null, judge: Judge): void {
  judge.nested(afterOptions(args, flags, valued ?? NEVER, judge));
}

/** Drops the wrapper's own options; one that we do not know could hide what comes after it. */
function afterOptions(args: readonly Field[], flags: RegExp, valued: RegExp, judge: Judge): readonly Field[] {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') return args.slice(index + 1);
    if (valued.test(arg)) index += 1;
    else if (!arg.startsWith('-')) return args.slice(index);
    else if (!flags.test(arg)) judge.refuse('dangerous-option');
  }
  return [];
}

function afterAssignments(args: readonly Field[], call: Call, judge: Judge): readonly Field[] {
  const end = args.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(arg));
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const [name = '', ...value] = arg.split('=');
    checkAssignment(name, value.join('='), call.folders, judge.walk);
  }
  return end === -1 ? [] : args.slice(end);
}

function checkCoverage(call: Call, judge: Judge): void {
  for (const arg of call.args) judge.mayLead(/^--[\w-]+=(.*)$/s.exec(arg)?.[1] ?? '');
  inner(call.args, /^--[\w-]+(?:=.*)?$/, null, judge);
}

function checkEnv(call: Call, judge: Judge): void {
  const { args } = call;
  let index = 0;
  for (; index < args.length && (args[index] ?? '').startsWith('-'); index += 1) {
    const arg = args[index] ?? '';
    if (arg === '-u' || arg === '--unset') checkVariableName(args[(index += 1)] ?? '', judge.walk);
    else if (/^-u.|^--unset=/.test(arg)) checkVariableName(arg.replace(/^-u|^--unset=/, ''), judge.walk);
    else judge.refuse('dangerous-option');
  }
  const command = afterAssignments(args.slice(index), call, judge);
  if (command.length === 0) judge.refuse('print-environment');
  else judge.nested(command);
}

/** The names it adds come from whoever writes into it: known to be inside only for programs that list the folder. */
function checkXargs(call: Call, judge: Judge): void {
  const { args } = call;
  let placeholder: string | null = null;
  let input: Field = call.stdin === 'names' ? INSIDE : call.stdin === 'number' ? '0' : UNKNOWN;
  let index = 0;
  for (; index < args.length && (args[index] ?? '').startsWith('-'); index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      index += 1;
      break;
    } else if (arg === '-I' || arg === '-J') placeholder = args[(index += 1)] ?? '';
    else if (/^-I./.test(arg)) placeholder = arg.slice(2);
    else if (/^-[nPLsd]$|^--(?:max-args|max-procs|max-lines|delimiter)$/.test(arg)) index += 1;
    else if (/^-a$|^--arg-file$/.test(arg)) {
      judge.path(args[(index += 1)] ?? '');
      input = UNKNOWN;
    } else if (
      !/^-[0rtx]+$|^-[nPLsd][\w,.:\\;|]+$|^--(?:null|no-run-if-empty|verbose|max-args=\d+|max-procs=\d+|max-lines=\d+|delimiter=.{1,2})$/.test(
        arg,
      )
    ) {
      judge.refuse('dangerous-option');
    }
  }
  const command = args.slice(index);
  if (command.length === 0) return;
  if (placeholder === '' || (placeholder !== null && !isKnown(placeholder))) judge.refuse('unknown-value');
  if (placeholder === null || placeholder === '') judge.nested([...command, input]);
  else judge.nested(command.map((arg) => arg.replaceAll(placeholder, input)));
}

import { type Field, INSIDE, isUnknown } from '../field.ts';
import type { Call } from '../walk.ts';
import type { Judge } from './program.ts';

/** Starting points must be inside; actions that delete or write are refused; commands are judged with any name found. */
export function checkFind(call: Call, judge: Judge): void {
  const { args } = call;
  const start = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-(?:P|O\d)$/.test(arg));
  const roots = start === -1 ? args : args.slice(0, start);
  for (const root of roots) if (!root.startsWith('-')) judge.path(root);
  checkExpression(start === -1 ? [] : args.slice(start), judge);
}

const TAKES_TEXT = /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|regextype|printf|type|xtype|perm|size|user|group)$/;

function checkExpression(args: readonly Field[], judge: Judge): void {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (isUnknown(arg)) judge.refuse('unknown-value');
    else if (arg === '-delete') judge.refuse('delete-files');
    else if (/^-(?:L|H|follow)$/.test(arg)) judge.refuse('outside-folder');
    else if (/^-(?:f(?:print|ls)|files0-from|ok|execdir|D$|f$)/.test(arg)) judge.refuse('dangerous-option');
    else if (/^-(?:[acm]newer|newer|samefile)/.test(arg)) judge.path(args[(index += 1)] ?? '');
    else if (arg === '-exec') index = checkExec(args, index, judge);
    else if (TAKES_TEXT.test(arg)) index += 1;
    // Starting points can follow options that only some finds have.
    else if (!/^[-(),!;]/.test(arg)) judge.path(arg);
  }
}

/** Returns where the command ends. */
function checkExec(args: readonly Field[], at: number, judge: Judge): number {
  const rest = args.slice(at + 1);
  const length = rest.findIndex((arg, index) => arg === ';' || (arg === '+' && rest[index - 1] === '{}'));
  if (length === -1) {
    judge.refuse('unparsable-command');
    return args.length;
  }
  judge.nested(rest.slice(0, length).map((arg) => arg.replaceAll('{}', INSIDE)));
  return at + 1 + length;
}

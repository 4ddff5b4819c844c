import type { Assignment, Command, CommandArgument, Word, WordPart } from 'unbash';
import { checkAssignment, performAssignments, valuesOf } from './assignments.ts';
import { BUILTINS } from './builtins.ts';
import { checkCall } from './check-call.ts';
import { expandValue, expandWord, type Scope } from './expand-word.ts';
import { type Field, UNKNOWN } from './field.ts';
import { outputOfScript } from './output-kind.ts';
import { checkRedirections, inputOf } from './redirections.ts';
import { scopesFor } from './scopes.ts';
import { either, type Outcome, same, type State, withVariable } from './state.ts';
import { visitExpansions } from './visit-expansions.ts';
import type { OutputKind, Walk } from './walk.ts';

/** One simple command: its assignments, its redirections, and its program for every way it can be called. */
export function walkCommand(node: Command, state: State, stdin: OutputKind, walk: Walk): Outcome {
  walk.step();
  const parts = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  let current = parts.reduce((before, part) => visitExpansions(part, before, walk), state);
  checkRedirections(node.redirects, current, walk);
  checkDescriptors(node, walk);
  checkPrefix(node, current, walk);
  if (node.name === undefined) return same(performAssignments(node, current, walk));

  const name = literalName(node.name);
  if (name === null) {
    walk.refuse('non-literal-command-word');
    return same(current);
  }
  const bodies = current.functions.get(name) ?? [];
  const input = inputOf(node.redirects);
  const kind = input === 'inherited' ? stdin : input === 'other' ? 'anything' : outputOfScript(input);
  const calls = scopesFor(node.args, current, walk).map((scope) => ({
    name,
    args: node.args.flatMap((arg) => argumentFields(arg, scope)),
    stdin: kind,
    folders: current.folders,
    isFunction: bodies.length > 0,
  }));
  for (const call of calls) checkCall(call, walk);
  for (const arg of node.args) if (arg.type === 'Assignment') checkIndexes(arg, walk);

  const builtin = BUILTINS.get(name);
  if (builtin !== undefined) {
    const outcomes = calls.map((call) => builtin(call, current, walk));
    return outcomes.reduce((left, right) => ({
      ok: either(left.ok, right.ok),
      failed: either(left.failed, right.failed),
    }));
  }
  for (const prefix of node.prefix) {
    if (prefix.type === 'Assignment') current = withVariable(current, prefix.name, null);
  }
  return bodies
    .map((body) => walk.body(body, current, kind))
    .reduce(
      (left, right) => ({ ok: either(left.ok, right.ok), failed: either(left.failed, right.failed) }),
      same(current),
    );
}

function checkPrefix(node: Command, state: State, walk: Walk): void {
  for (const prefix of node.prefix) {
    if (prefix.type !== 'Assignment' || (prefix.name === 'IFS' && node.name?.value === 'read')) continue;
    if (prefix.index !== undefined && !/^\d+$/.test(prefix.index.text)) walk.refuse('arithmetic-evaluation');
    checkIndexes(prefix, walk);
    for (const binding of valuesOf(prefix, state, walk) ?? [null]) {
      const value = binding?.kind === 'scalar' ? binding.value : UNKNOWN;
      // Without a program nobody sees the value until it is exported.
      if (node.name === undefined) checkAssignment(prefix.name, value, new Set(), walk);
      else checkAssignment(prefix.name, value, state.folders, walk);
    }
  }
}

/** `true {x['a[$(rm y)]']}>file` evaluates the index; the parser takes the braces for a word of their own. */
function checkDescriptors(node: Command, walk: Walk): void {
  const words = node.suffix.filter((part) => part.type === 'Word' && /^\{.*\}$/s.test(part.text));
  const isGlued = words.some((word) => node.redirects.some((redirection) => redirection.pos === word.end));
  if (isGlued) walk.refuse('arithmetic-evaluation');
}

/** `x=(['a[$(rm y)]']=1)` evaluates the index of an element. */
function checkIndexes(assignment: Assignment, walk: Walk): void {
  if (assignment.value.type !== 'ArrayValue') return;
  const isEvaluated = assignment.value.elements.some(({ text }) => text.startsWith('[') && !/^\[\d+\]=/.test(text));
  if (isEvaluated) walk.refuse('arithmetic-evaluation');
}

function argumentFields(arg: CommandArgument, scope: Scope): Field[] {
  if (arg.type === 'Word') return expandWord(arg, scope);
  const value = arg.value.type === 'Word' ? expandValue(arg.value, scope) : UNKNOWN;
  return [`${arg.name}${arg.index === undefined ? '' : UNKNOWN}=${arg.append === true ? UNKNOWN : value}`];
}

/** The name of the program if it is written down: quoted and escaped as may be, but not computed. */
function literalName(word: Word): string | null {
  if (word.text.startsWith('~') || word.value === '') return null;
  return (word.parts ?? []).every((part) => isWritten(part, word)) ? word.value : null;
}

function isWritten(part: WordPart, word: Word): boolean {
  if (part.type === 'Literal') return !/[{}]/.test(part.text) || /^[{}]$/.test(word.text);
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
    return part.parts.every((child) => child.type === 'Literal');
  }
  return part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted';
}

import { forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { EXTENDED, type Field, isUnknown, NUMBER, QUESTION, SPLIT, STAR, STREAM, TILDE, UNKNOWN } from './field.ts';
import { applyOperation } from './parameter-operation.ts';

/** What one variable holds, for one way in which the script can run. */
export type Binding =
  { readonly kind: 'scalar'; readonly value: Field } | { readonly kind: 'array'; readonly fields: readonly Field[] };

export interface Scope {
  /** Undefined: nobody in the script has set it. */
  lookup(name: string): Binding | undefined;
  /** What a command substitution prints. */
  output(script: ParsedScript | undefined): Field;
}

/** The arguments that a word becomes: braces, variables, substitutions, splitting and globs, in bash's order. */
export function expandWord(word: Word, scope: Scope): Field[] {
  return withBraces(word, scope).flatMap((chunks) => split(chunks));
}

/** The value that an assignment, a here-string or a redirection's quoted target gets: nothing is split or matched. */
export function expandValue(word: Word, scope: Scope): Field {
  if (word.parts === undefined) return tilde(word.text, word.value);
  const chunks = word.parts.flatMap((part) => chunksOf(part, false, word.text, scope));
  const value = chunks.map((chunk) => chunk.plain ?? chunk.text).join('');
  return value.length > LONGEST_VALUE ? UNKNOWN : tilde(word.text, value).replaceAll(SPLIT, UNKNOWN);
}

/** Names of the variables that decide what these nodes become; those inside command substitutions do not count. */
export function variablesIn(nodes: Iterable<SyntaxNode>): Set<string> {
  const names = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'SimpleExpansion') names.add(node.text.slice(1));
    if (node.type === 'ParameterExpansion') names.add(node.parameter);
    if (node.type !== 'CommandExpansion' && node.type !== 'ProcessSubstitution') forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
  return names;
}

interface Chunk {
  readonly text: Field;
  /** The same where nothing is matched: `*` stays a star. */
  readonly plain?: string;
  /** Subject to splitting: an unquoted expansion. */
  readonly splits: boolean;
  /** An array: several arguments, whatever the quoting. */
  readonly fields?: readonly Field[];
}

function withBraces(word: Word, scope: Scope): Chunk[][] {
  if (word.parts === undefined) return [[literal(tilde(word.text, word.value))]];
  let lists: Chunk[][] = [[]];
  for (const part of word.parts) {
    const options = part.type === 'BraceExpansion' ? braceOptions(part.text) : null;
    const chunks = chunksOf(part, false, word.text, scope);
    lists = lists.flatMap((list) =>
      options === null
        ? [[...list, ...chunks]]
        : options.map((option) => [...list, { text: option, splits: option === '' }]),
    );
    if (lists.length > MOST_WORDS) return [[literal(SPLIT)]];
  }
  return word.text.startsWith('~') ? lists.map((list) => [literal(TILDE), ...list]) : lists;
}

const LONGEST_VALUE = 10_000;
/** More than this from one word is not worth telling apart. */
const MOST_WORDS = 256;

/** Plain lists and ranges; anything nested or quoted is left unknown. */
function braceOptions(text: string): Field[] | null {
  const inner = text.slice(1, -1);
  if (/^-?\d+\.\.-?\d+(?:\.\.-?\d+)?$/.test(inner)) return [NUMBER];
  if (!/^[\w,.@/+-]*$/.test(inner) || !inner.includes(',') || inner.length > 500) return null;
  return inner.split(',');
}

function chunksOf(part: WordPart, quoted: boolean, source: string, scope: Scope): Chunk[] {
  switch (part.type) {
    case 'Literal':
      if (quoted) return [literal(part.value)];
      return [literal(hasLooseBrace(part.text, source) ? SPLIT : part.value.replaceAll(/(?<=[=:])~/g, TILDE))];
    case 'SingleQuoted':
      return [literal(part.value)];
    case 'AnsiCQuoted':
      return [literal(ODD_ANSI_C.test(part.text) ? UNKNOWN : part.value)];
    case 'DoubleQuoted':
    case 'LocaleString': {
      const inner = part.parts.flatMap((child) => chunksOf(child, true, source, scope));
      // "${list[@]}" alone becomes no argument at all when the list is empty.
      return inner.length === 1 && inner[0]?.fields !== undefined ? inner : [literal(''), ...inner];
    }
    case 'Glob':
      return [{ text: part.kind === 'star' ? STAR : QUESTION, plain: part.text, splits: false }];
    case 'ExtendedGlob':
      return [{ text: EXTENDED, plain: part.text, splits: false }];
    case 'BraceExpansion':
      return [{ text: SPLIT, plain: part.parts === undefined ? part.text : UNKNOWN, splits: false }];
    case 'ProcessSubstitution':
      return [literal(STREAM)];
    case 'ArithmeticExpansion':
      return [literal(NUMBER)];
    case 'CommandExpansion':
      return [expansion(scope.output(part.script), quoted)];
    case 'SimpleExpansion':
      return [variable(part.text.slice(1), quoted, scope)];
    case 'ParameterExpansion': {
      if (part.prefix === '#') return [literal(NUMBER)];
      const index = part.index?.text;
      if (part.prefix === '!' || (index !== undefined && index !== '@' && index !== '*')) {
        return [expansion(UNKNOWN, quoted)];
      }
      if (part.operation === undefined) return [variable(part.parameter, quoted, scope, index !== undefined)];
      const value = valueOf(part.parameter, scope);
      if (index !== undefined || value === null) return [expansion(UNKNOWN, quoted)];
      return [expansion(applyOperation(value, part.operation), quoted)];
    }
  }
}

/** Bash keeps an escaped line end, ends the string at a zero, and knows control characters; nobody honest needs them. */
const ODD_ANSI_C = /\\(?:\n|c|0{1,3}(?![0-7])|x0{1,2}(?![\da-f])|u0{1,4}(?![\da-f])|U0{1,8}(?![\da-f]))/i;

/** An unquoted brace that the parser took for plain text although bash might expand it. */
function hasLooseBrace(text: string, source: string): boolean {
  return /[{}]/.test(text) && /,|\.\./.test(source);
}

function literal(text: Field): Chunk {
  return { text, splits: false };
}

function expansion(value: Field, quoted: boolean): Chunk {
  if (quoted) return literal(value);
  return { text: value.replaceAll(UNKNOWN, SPLIT), plain: value, splits: true };
}

function variable(name: string, quoted: boolean, scope: Scope, wholeArray = false): Chunk {
  if (/^[@*]$/.test(name)) return { text: SPLIT, splits: false };
  const binding = scope.lookup(name);
  if (binding?.kind === 'array' && wholeArray) {
    const fields = quoted ? binding.fields : binding.fields.flatMap((field) => split([expansion(field, false)]));
    return { text: '', plain: UNKNOWN, splits: false, fields };
  }
  const value = valueOf(name, scope);
  return value === null && wholeArray ? { text: SPLIT, splits: false } : expansion(value ?? UNKNOWN, quoted);
}

/** Null: not known. */
function valueOf(name: string, scope: Scope): Field | null {
  if (NUMERIC.has(name)) return NUMBER;
  const binding = scope.lookup(name);
  return binding?.kind === 'scalar' && !isUnknown(binding.value) ? binding.value : null;
}

const NUMERIC: ReadonlySet<string> = new Set(
  '? # $ ! RANDOM SRANDOM LINENO SECONDS EPOCHSECONDS UID EUID PPID BASHPID'.split(' '),
);

/** Bash expands `~` at the start of a word, and after `=` and `:` where the word looks like an assignment. */
function tilde(source: string, value: Field): Field {
  const inner = /[=:]~/.test(source) ? value.replaceAll(/(?<=[=:])~/g, TILDE) : value;
  return source.startsWith('~') ? TILDE + inner.slice(1) : inner;
}

function split(chunks: readonly Chunk[]): Field[] {
  const fields: Field[] = [];
  let current: Field | null = null;
  for (const chunk of chunks) {
    if (chunk.fields !== undefined) {
      for (const [index, field] of chunk.fields.entries()) {
        if (index > 0 && current !== null) {
          fields.push(current);
          current = null;
        }
        current = (current ?? '') + field;
      }
    } else if (chunk.splits) {
      const pieces = activateGlobs(chunk.text).split(/[ \t\n]+/);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0 && current !== null) {
          fields.push(current);
          current = null;
        }
        if (piece !== '') current = (current ?? '') + piece;
      }
    } else {
      current = (current ?? '') + chunk.text;
    }
  }
  if (current !== null) fields.push(current);
  return fields;
}

/** What comes out of an unquoted expansion is matched against file names too. */
function activateGlobs(text: Field): Field {
  return text
    .replaceAll(/\[[^\]]*\]/g, QUESTION)
    .replaceAll('*', STAR)
    .replaceAll('?', QUESTION);
}

import { checkPath } from './check-path.ts';
import { MAX_PATH_BYTES } from './limits.ts';
import type { LineReader } from './line-reader.ts';

/** Both names quoted, every byte as an octal escape, and the words around them. */
const MAX_LINE_BYTES = 2 * 4 * MAX_PATH_BYTES + 64;

/**
 * Reads a name as git writes it: plain up to a tab, or in C style between quotes. `strip` leading folders (the `a/` and
 * `b/` of a diff) are taken off. Null for `/dev/null`. Throws for a name that must not be written to.
 */
export function parseName(text: string, strip: 0 | 1, reader: LineReader): string | null {
  if (text.length > MAX_LINE_BYTES) throw reader.malformed('a file name is too long.');
  if (strip === 1 && /^\/dev\/null(?:\t.*)?$/.test(text)) return null;
  const raw = text.startsWith('"') ? unquote(text, 0, reader).name : (text.split('\t', 1)[0] ?? '');
  return checkPath(strip === 1 ? stripFolder(raw, reader) : raw, reader);
}

/**
 * Reads the name that both sides of a `diff --git` line share; undefined where they differ, as in a rename, and other
 * lines have to tell. Unquoted names may hold spaces: the split is where both halves name the same file.
 */
export function parseHeaderNames(reader: LineReader): string | undefined {
  if (!reader.isTerminated) throw reader.malformed('the patch ends inside a file header.');
  const text = reader.peekText().slice('diff --git '.length);
  if (text.length > MAX_LINE_BYTES) throw reader.malformed('a file name is too long.');
  const halves = text.includes('"') ? splitQuoted(text, reader) : splitPlain(text);
  if (halves === undefined || halves.some((half) => !half.includes('/'))) return undefined;
  const [left, right] = halves.map((half) => stripFolder(half, reader));
  return left !== undefined && left === right ? checkPath(left, reader) : undefined;
}

function splitPlain(text: string): [string, string] | undefined {
  const leftName = text.indexOf('/') + 1;
  for (let space = text.indexOf(' '); space !== -1; space = text.indexOf(' ', space + 1)) {
    const rightName = text.length - (space - leftName);
    const isCandidate = space >= leftName && rightName > space + 1 && text[rightName - 1] === '/';
    if (isCandidate && text.slice(leftName, space) === text.slice(rightName)) {
      const right = text.slice(space + 1);
      if (right.indexOf('/') === rightName - space - 2) return [text.slice(0, space), right];
    }
  }
  return undefined;
}

function splitQuoted(text: string, reader: LineReader): [string, string] | undefined {
  if (text.startsWith('"')) {
    const left = unquote(text, 0, reader);
    const rest = text.slice(left.end + 1);
    return [left.name, rest.startsWith('"') ? unquote(rest, 0, reader).name : rest];
  }
  const quote = text.indexOf(' "');
  return quote === -1 ? undefined : [text.slice(0, quote), unquote(text, quote + 1, reader).name];
}

function stripFolder(name: string, reader: LineReader): string {
  const slash = name.indexOf('/');
  if (slash <= 0) throw reader.malformed('a file name without the leading folder (`a/`, `b/`) that git writes.');
  return name.slice(slash + 1);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

/** Undoes git's C-style quoting. Characters of the result are bytes. `end` is the offset after the closing quote. */
function unquote(text: string, start: number, reader: LineReader): { name: string; end: number } {
  const quoted = /"((?:[^"\\]|\\.)*)"/sy;
  quoted.lastIndex = start;
  const match = quoted.exec(text);
  if (match === null) throw reader.malformed('a quoted file name does not end.');
  const name = (match[1] ?? '').replace(/\\([0-3][0-7]{2}|.)/gs, (_, code: string) => {
    const escaped = code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : ESCAPES[code];
    if (escaped === undefined) throw reader.malformed('a quoted file name has an unknown escape.');
    return escaped;
  });
  return { name, end: quoted.lastIndex };
}

import { PatchError } from '../domain/provider-error.ts';
import type { FileMode, FilePatch } from './file-patch.ts';
import type { LineReader } from './line-reader.ts';
import { parseHeaderNames, parseName } from './parse-name.ts';

export type FileHeader = Omit<FilePatch, 'change'>;

/** What the lines of a header have said so far. Undefined: nothing yet; a null name: `/dev/null`. */
interface Draft {
  kind: FileHeader['kind'];
  names: { old?: string | null; new?: string | null };
  oldMode: FileMode | null;
  newMode: FileMode | null;
  oldSHA: string | null;
  newSHA: string | null;
}

/** Reads `diff --git` and the lines below it, up to the change itself. */
export function parseFileHeader(reader: LineReader): FileHeader {
  const startsAt = reader.line;
  const sharedName = parseHeaderNames(reader);
  const draft: Draft = { kind: 'modify', names: {}, oldMode: null, newMode: null, oldSHA: null, newSHA: null };
  reader.skipLine();
  while (!reader.isDone && parseHeaderLine(reader, draft)) reader.skipLine();
  return finish(draft, sharedName, startsAt);
}

/** Reads `---` and `+++` lines that stand without git's own header. */
export function parseTraditionalHeader(reader: LineReader): FileHeader {
  const startsAt = reader.line;
  const draft: Draft = { kind: 'modify', names: {}, oldMode: null, newMode: null, oldSHA: null, newSHA: null };
  while (!reader.startsWith('@@ -') && parseHeaderLine(reader, draft)) reader.skipLine();
  return finish(draft, undefined, startsAt);
}

type LineParser = (draft: Draft, rest: string, reader: LineReader) => void;

const LINE_PARSERS: readonly (readonly [prefix: string, parse: LineParser])[] = [
  ['index ', parseIndexLine],
  ['--- ', (draft, rest, reader) => setName(draft, 'old', parseName(rest, 1, reader), reader)],
  ['+++ ', (draft, rest, reader) => setName(draft, 'new', parseName(rest, 1, reader), reader)],
  ['old mode ', (draft, rest, reader) => void (draft.oldMode = parseMode(rest, reader))],
  ['new mode ', (draft, rest, reader) => void (draft.newMode = parseMode(rest, reader))],
  [
    'new file mode ',
    (draft, rest, reader) => {
      setKind(draft, 'create', reader);
      draft.newMode = parseMode(rest, reader);
    },
  ],
  [
    'deleted file mode ',
    (draft, rest, reader) => {
      setKind(draft, 'delete', reader);
      draft.oldMode = parseMode(rest, reader);
    },
  ],
  ['rename from ', (draft, rest, reader) => setSource(draft, 'rename', rest, reader)],
  ['rename to ', (draft, rest, reader) => setTarget(draft, 'rename', rest, reader)],
  ['copy from ', (draft, rest, reader) => setSource(draft, 'copy', rest, reader)],
  ['copy to ', (draft, rest, reader) => setTarget(draft, 'copy', rest, reader)],
  ['similarity index ', () => undefined],
  ['dissimilarity index ', () => undefined],
];

/** Returns false, without moving, at the first line that is no header line. */
function parseHeaderLine(reader: LineReader, draft: Draft): boolean {
  const found = LINE_PARSERS.find(([prefix]) => reader.startsWith(prefix));
  if (found === undefined) return false;
  if (!reader.isTerminated) throw reader.malformed('the patch ends inside a file header.');
  const [prefix, parse] = found;
  parse(draft, reader.peekText().slice(prefix.length), reader);
  return true;
}

function parseIndexLine(draft: Draft, rest: string, reader: LineReader): void {
  const match = /^([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: (\d+))?$/.exec(rest);
  if (match === null) throw reader.malformed('a broken index line.');
  draft.oldSHA = match[1] ?? null;
  draft.newSHA = match[2] ?? null;
  if (match[3] !== undefined) draft.oldMode = parseMode(match[3], reader);
}

function parseMode(text: string, reader: LineReader): FileMode {
  if (!/^[0-7]{1,7}$/.test(text)) throw reader.malformed('a broken file mode.');
  const mode = Number.parseInt(text, 8);
  switch (mode & 0o170000) {
    case 0o100000:
      return (mode & 0o100) === 0 ? '100644' : '100755';
    case 0o120000:
      return '120000';
    case 0o160000:
      throw new PatchError('refused', `Line ${reader.line} of the patch changes a submodule. Leave submodules alone.`);
    default:
      throw reader.malformed(`${text} is not a file mode that git writes.`);
  }
}

function setKind(draft: Draft, kind: FileHeader['kind'], reader: LineReader): void {
  if (draft.kind !== 'modify' && draft.kind !== kind) throw reader.malformed(`${draft.kind} and ${kind} at once.`);
  draft.kind = kind;
}

function setSource(draft: Draft, kind: 'rename' | 'copy', rest: string, reader: LineReader): void {
  setKind(draft, kind, reader);
  setName(draft, 'old', parseName(rest, 0, reader), reader);
}

function setTarget(draft: Draft, kind: 'rename' | 'copy', rest: string, reader: LineReader): void {
  setKind(draft, kind, reader);
  setName(draft, 'new', parseName(rest, 0, reader), reader);
}

function setName(draft: Draft, side: 'old' | 'new', name: string | null, reader: LineReader): void {
  const known = draft.names[side];
  if (known !== undefined && known !== name) throw reader.malformed('two different names for one file.');
  draft.names[side] = name;
  if (name === null) setKind(draft, side === 'old' ? 'create' : 'delete', reader);
}

function finish(draft: Draft, sharedName: string | undefined, startsAt: number): FileHeader {
  const fail = (message: string): PatchError =>
    new PatchError('malformed', `Line ${startsAt} of the patch: ${message}`);
  const { kind, oldMode, newMode, oldSHA, newSHA } = draft;
  const oldPath = kind === 'create' ? null : (draft.names.old ?? sharedName);
  const newPath = kind === 'delete' ? null : (draft.names.new ?? sharedName);
  if (oldPath === undefined || newPath === undefined) throw fail('a file header without the name of its file.');
  if (kind === 'create' && typeof draft.names.old === 'string') throw fail('a new file with an old name.');
  if (kind === 'delete' && typeof draft.names.new === 'string') throw fail('a deleted file with a new name.');
  if (kind === 'modify' && oldPath !== newPath) throw fail('two names, but neither a rename nor a copy.');
  if (oldMode !== null && newMode !== null && isLink(oldMode) !== isLink(newMode)) {
    throw fail('a file that becomes a link, or a link that becomes a file, takes a deletion and a creation.');
  }
  if (newMode !== null && isLink(newMode) && /(?:^|\/)\.gitmodules$/i.test(newPath ?? '')) {
    throw fail('`.gitmodules` must not be a link.');
  }
  return { kind, oldPath, newPath, oldMode, newMode, oldSHA, newSHA };
}

function isLink(mode: FileMode): boolean {
  return mode === '120000';
}

import { endOfLine, type LineReader } from './line-reader.ts';
import type { FilePatch, Hunk } from './file-patch.ts';

const HUNK_HEADER = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@/;
/** A header's numbers fit in here; what follows is a heading of any length. */
const HEADER_BYTES = 64;

const NEWLINE = 10;
const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
const BACKSLASH = 92;

/** Reads the hunks of one file. Counts that do not fit the lines are an error. */
export function parseHunks(reader: LineReader, kind: FilePatch['kind']): Hunk[] {
  const hunks: Hunk[] = [];
  while (reader.startsWith('@@ -')) {
    const hunk = parseHunk(reader);
    if (kind === 'create' && hunk.oldCount > 0) throw reader.malformed('a new file depends on old content.');
    if (kind === 'delete' && hunk.newCount > 0) throw reader.malformed('a deleted file still has content.');
    hunks.push(hunk);
  }
  return hunks;
}

function parseHunk(reader: LineReader): Hunk {
  const text = reader.bytes.toString('latin1', reader.offset, Math.min(reader.lineEnd, reader.offset + HEADER_BYTES));
  const match = HUNK_HEADER.exec(text);
  if (match === null || !reader.isTerminated) throw reader.malformed('a broken hunk header.');
  const [oldStart = 0, oldCount = 1, newStart = 0, newCount = 1] = match
    .slice(1)
    .map((digits) => (digits === undefined ? undefined : Number(digits)));
  reader.skipLine();
  const start = reader.offset;
  skipHunkLines(reader, oldCount, newCount);
  return { oldStart, oldCount, newStart, newCount, body: reader.bytes.subarray(start, reader.offset) };
}

function skipHunkLines(reader: LineReader, oldCount: number, newCount: number): void {
  const { bytes } = reader;
  let oldLeft = oldCount;
  let newLeft = newCount;
  let changes = 0;
  while (oldLeft > 0 || newLeft > 0) {
    if (reader.isDone) throw reader.malformed('the patch ends inside a hunk.');
    const first = bytes[reader.offset];
    const end = endOfLine(bytes, reader.offset);
    if (first === BACKSLASH) {
      if (bytes[reader.offset + 1] !== SPACE) throw reader.malformed('a broken "No newline" mark.');
    } else {
      if (first === MINUS) oldLeft -= 1;
      else if (first === PLUS) newLeft -= 1;
      else if (first === SPACE || first === NEWLINE) {
        oldLeft -= 1;
        newLeft -= 1;
      } else throw reader.malformed('not a line of a hunk.');
      if (first === MINUS || first === PLUS) changes += 1;
      if (bytes[end - 1] !== NEWLINE) throw reader.malformed('the patch ends inside a line.');
      if (oldLeft < 0 || newLeft < 0) throw reader.malformed('the hunk has other lines than its header counts.');
    }
    reader.offset = end;
    reader.line += 1;
  }
  if (reader.startsWith('\\ ')) reader.skipLine();
  if (changes === 0) throw reader.malformed('the hunk above changes nothing.');
}

import { PatchError } from '../domain/provider-error.ts';
import type { FilePatch, ParsedPatch } from './file-patch.ts';
import { LineReader } from './line-reader.ts';
import { parseBinaryChange } from './parse-binary-change.ts';
import { parseFileHeader, parseTraditionalHeader, type FileHeader } from './parse-file-header.ts';
import { parseHunks } from './parse-hunks.ts';

/**
 * Reads what `git diff`, `git show` and `git format-patch` write, with any of their options. Pure, in linear time.
 * Throws a PatchError: `malformed` for what git would not write, `refused` for what decree does not publish.
 * Pass bytes for a patch that is not UTF-8 (made with `--text`).
 */
export function parsePatch(patch: string | Uint8Array): ParsedPatch {
  const reader = new LineReader(toBytes(patch));
  const files: FilePatch[] = [];
  skipProse(reader);
  while (!reader.isDone) {
    files.push(parseFilePatch(reader));
    skipGap(reader);
  }
  if (files.length === 0) throw new PatchError('malformed', 'The patch is empty: it has no `diff --git` line.');
  return { files };
}

function toBytes(patch: string | Uint8Array): Buffer {
  if (typeof patch !== 'string') return Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength);
  if (!patch.isWellFormed()) {
    throw new PatchError('malformed', 'The patch is not valid Unicode. Pass its bytes instead of a string.');
  }
  return Buffer.from(patch, 'utf8');
}

/** Text above the first file, e.g. a commit message, or a mail between two patches. */
function skipProse(reader: LineReader): void {
  while (!reader.isDone && !isFileStart(reader)) {
    if (reader.startsWith('diff --c')) throw reader.malformed('combined diffs of merges cannot be applied.');
    if (reader.startsWith('@@ -') || reader.startsWith('GIT binary patch')) {
      throw reader.malformed('a change without the file it belongs to.');
    }
    reader.skipLine();
  }
}

function skipGap(reader: LineReader): void {
  while (!reader.isDone && !isFileStart(reader)) {
    const text = reader.peekText();
    if (text === '-- ') return skipProse(reader);
    if (text !== '') throw reader.malformed('neither part of the change above nor the next file.');
    reader.skipLine();
  }
}

function isFileStart(reader: LineReader): boolean {
  return reader.startsWith('diff --git ') || isTraditionalStart(reader);
}

/** `---`, `+++` and a hunk, without git's own header. */
function isTraditionalStart(reader: LineReader): boolean {
  if (!reader.startsWith('--- ')) return false;
  const plus = reader.lineEnd;
  if (!reader.startsWith('+++ ', plus)) return false;
  const hunk = reader.bytes.indexOf(10, plus) + 1;
  return hunk > 0 && reader.startsWith('@@ -', hunk);
}

function parseFilePatch(reader: LineReader): FilePatch {
  const startsAt = reader.line;
  const header = reader.startsWith('diff --git ') ? parseFileHeader(reader) : parseTraditionalHeader(reader);
  const change = parseChange(reader, header);
  const isModeChange = header.oldMode !== null && header.newMode !== null && header.oldMode !== header.newMode;
  if (change === null && header.kind === 'modify' && !isModeChange) {
    throw new PatchError('malformed', `Line ${startsAt} of the patch: a file header without any change.`);
  }
  return { ...header, change };
}

function parseChange(reader: LineReader, header: FileHeader): FilePatch['change'] {
  if (reader.startsWith('@@ -')) return { kind: 'text', hunks: parseHunks(reader, header.kind) };
  if (reader.startsWith('GIT binary patch')) return parseBinaryChange(reader);
  if (reader.startsWith('Binary files ')) {
    throw reader.malformed('a binary change without its content. Make the patch with `git diff --binary`.');
  }
  return null;
}

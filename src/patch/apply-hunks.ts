import type { Hunk } from './file-patch.ts';
import { hunkImages } from './hunk-images.ts';
import { endOfLine } from './line-reader.ts';

/**
 * Applies hunks to the very content they were made from, each at the line it names. Returns null if one does not fit
 * there, which means that the patch contradicts itself. Linear in content and patch.
 */
export function applyHunks(old: Buffer, hunks: readonly Hunk[]): Buffer | null {
  const pieces: Buffer[] = [];
  let offset = 0;
  let linesPassed = 0;
  for (const hunk of hunks) {
    // A hunk without old lines names the line after which it inserts.
    const linesBefore = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (linesBefore < linesPassed) return null;
    const start = skipLines(old, offset, linesBefore - linesPassed);
    if (start === null) return null;
    const { before, after } = hunkImages(hunk);
    const end = start + before.length;
    if (!before.equals(old.subarray(start, end))) return null;
    if (!isLineEnd(old, end)) return null;
    pieces.push(old.subarray(offset, start), after);
    offset = end;
    linesPassed = linesBefore + hunk.oldCount;
  }
  pieces.push(old.subarray(offset));
  return Buffer.concat(pieces);
}

function skipLines(bytes: Buffer, from: number, count: number): number | null {
  let offset = from;
  for (let line = 0; line < count; line += 1) {
    if (offset >= bytes.length) return null;
    offset = endOfLine(bytes, offset);
  }
  return isLineEnd(bytes, offset) ? offset : null;
}

function isLineEnd(bytes: Buffer, offset: number): boolean {
  return offset === 0 || offset === bytes.length || bytes[offset - 1] === 10;
}

import type { Hunk } from './file-patch.ts';
import { endOfLine } from './line-reader.ts';

const NEWLINE = 10;
const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
const BACKSLASH = 92;

export interface HunkImages {
  /** The lines that the hunk expects: context and removed lines. */
  readonly before: Buffer;
  /** The lines that it leaves: context and added lines. */
  readonly after: Buffer;
  /** Whether the hunk ends in context, so that more lines may follow it in the file. */
  readonly hasTrailingContext: boolean;
}

/** Splits a hunk into what was there and what comes instead. */
export function hunkImages({ body }: Hunk): HunkImages {
  const before = Buffer.allocUnsafe(body.length);
  const after = Buffer.allocUnsafe(body.length);
  let beforeLength = 0;
  let afterLength = 0;
  let hasTrailingContext = false;
  for (let offset = 0; offset < body.length;) {
    const first = body[offset];
    const end = endOfLine(body, offset);
    if (first === BACKSLASH) {
      offset = end;
      continue;
    }
    // GNU diff writes an empty context line without its leading space.
    const start = first === NEWLINE ? offset : offset + 1;
    const stop = body[end] === BACKSLASH ? end - 1 : end;
    if (first !== PLUS) beforeLength += body.copy(before, beforeLength, start, stop);
    if (first !== MINUS) afterLength += body.copy(after, afterLength, start, stop);
    hasTrailingContext = first === SPACE || first === NEWLINE;
    offset = end;
  }
  return { before: before.subarray(0, beforeLength), after: after.subarray(0, afterLength), hasTrailingContext };
}

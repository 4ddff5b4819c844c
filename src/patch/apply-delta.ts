import { MAX_FILE_BYTES } from './limits.ts';

/**
 * Applies a delta of git's packs: two sizes, then instructions that copy a range of the old content or insert new
 * bytes. Returns null if it is damaged or was made for other content. Never reads or writes out of bounds.
 */
export function applyDelta(old: Buffer, delta: Buffer): Buffer | null {
  let at = 0;
  const nextByte = (): number => delta[at++] ?? Number.NaN;
  const nextSize = (): number => {
    let size = 0;
    for (let factor = 1; factor < 2 ** 42; factor *= 128) {
      const byte = nextByte();
      size += (byte & 127) * factor;
      if (!(byte & 128)) return Number.isNaN(byte) ? Number.NaN : size;
    }
    return Number.NaN;
  };

  const oldSize = nextSize();
  const newSize = nextSize();
  if (oldSize !== old.length || !(newSize <= MAX_FILE_BYTES)) return null;
  const result = Buffer.alloc(newSize);
  let written = 0;
  while (at < delta.length) {
    const instruction = nextByte();
    let source = delta;
    let start = at;
    let length = instruction;
    if (instruction & 128) {
      start = nextNumber(instruction, 4, nextByte);
      length = nextNumber(instruction >> 4, 3, nextByte) || 0x10000;
      source = old;
    } else {
      at += instruction;
    }
    const isInBounds = start + length <= source.length && written + length <= newSize;
    if (instruction === 0 || !isInBounds) return null;
    written += source.copy(result, written, start, start + length);
  }
  return written === newSize ? result : null;
}

/** A little-endian number of which only the bytes with a set bit are present. */
function nextNumber(bits: number, bytes: number, nextByte: () => number): number {
  let number = 0;
  for (let index = 0; index < bytes; index += 1) {
    if (bits & (1 << index)) number += nextByte() * 256 ** index;
  }
  return number;
}

import type { Hunk } from './file-patch.ts';
import { hunkImages } from './hunk-images.ts';
import { endOfLine } from './line-reader.ts';

/** What a search may cost, in comparisons of lines, for each line of the file. */
const EFFORT_PER_LINE = 64;
const MIN_EFFORT = 1_000_000;
/** Moving this many lines costs about as much as comparing one. */
const LINES_MOVED_PER_EFFORT = 256;

/**
 * Applies hunks to content that has moved on since the patch was made, as `git apply` does: at the nearest place where
 * all of a hunk's old lines stand, never on what an earlier hunk wrote; a hunk that begins at line 1 must fit the very
 * start, one without lines below its change the very end. Returns null if a hunk has no place, or if looking for it
 * costs more than a fixed multiple of the file's size: then a person has to decide.
 */
export function searchHunks(old: Buffer, hunks: readonly Hunk[]): Buffer | null {
  const table = new LineTable();
  let image = table.split(old);
  let effort = Math.max(MIN_EFFORT, EFFORT_PER_LINE * image.length);
  for (const hunk of hunks) {
    const { before, after, hasTrailingContext } = hunkImages(hunk);
    const wanted = table.split(before);
    const place = findPlace(image.length, wanted.length, hunk, !hasTrailingContext, (at) => {
      let same = 0;
      while (same < wanted.length && image[at + same] === wanted[same]) same += 1;
      effort -= same + 1;
      return effort < 0 ? 'give-up' : same === wanted.length;
    });
    if (place === null) return null;
    const written = table.split(after).map(toWritten);
    image = image.slice(0, place).concat(written, image.slice(place + wanted.length));
    effort -= image.length / LINES_MOVED_PER_EFFORT;
  }
  return table.join(image);
}

/** Tries the line that the hunk names, then one further down, one further up, and so on, as git does. */
function findPlace(
  length: number,
  wanted: number,
  hunk: Hunk,
  mustEnd: boolean,
  matches: (at: number) => boolean | 'give-up',
): number | null {
  const last = length - wanted;
  if (last < 0) return null;
  const mustStart = hunk.oldStart <= 1;
  if (mustStart || mustEnd) {
    const only = mustStart ? 0 : last;
    return (!mustEnd || only === last) && matches(only) === true ? only : null;
  }
  const named = Math.min(Math.max(hunk.newStart - 1, 0), length);
  for (let distance = 0; named + distance <= last || named - distance >= 0; distance += 1) {
    for (const at of distance === 0 ? [named] : [named + distance, named - distance]) {
      const found = at >= 0 && at <= last && matches(at);
      if (found === 'give-up') return null;
      if (found) return at;
    }
  }
  return null;
}

/** Gives equal lines equal numbers, so that comparing two costs the same whatever their length. */
class LineTable {
  readonly #numbers = new Map<string, number>();
  readonly #lines: Buffer[] = [];

  split(bytes: Buffer): number[] {
    const numbers: number[] = [];
    for (let offset = 0; offset < bytes.length;) {
      const end = endOfLine(bytes, offset);
      numbers.push(this.#numberOf(bytes.subarray(offset, end)));
      offset = end;
    }
    return numbers;
  }

  join(numbers: readonly number[]): Buffer {
    return Buffer.concat(numbers.map((number) => this.#lines[number < 0 ? toWritten(number) : number] ?? EMPTY));
  }

  #numberOf(line: Buffer): number {
    const key = line.toString('latin1');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#lines.length);
    return this.#lines.push(line) - 1;
  }
}

const EMPTY = Buffer.alloc(0);

/** Marks a line as written by a hunk, which makes it unlike every line of the file; and back. */
function toWritten(number: number): number {
  return ~number;
}

/** Who waits, and for when: the lowest rank goes first, then the earliest. */
export interface Place {
  readonly rank: number;
  /** Epoch ms. */
  readonly at: number;
  readonly id: string;
}

/**
 * Ids in the order of their turns, of which every version stays valid. Among equal places, first come, first served.
 * A change copies one short chunk and the list of chunks, so that it costs about the same with 10 and with 10,000.
 */
export class WaitingLine implements Iterable<string> {
  readonly size: number;
  /** Each sorted and not empty; so is their sequence. */
  readonly #chunks: readonly (readonly Place[])[];

  private constructor(chunks: readonly (readonly Place[])[], size: number) {
    this.#chunks = chunks;
    this.size = size;
  }

  static empty(): WaitingLine {
    return new WaitingLine([], 0);
  }

  static from(places: Iterable<Place>): WaitingLine {
    let line = WaitingLine.empty();
    for (const place of places) line = line.add(place);
    return line;
  }

  add(place: Place): WaitingLine {
    const last = this.#chunks.length - 1;
    const index = Math.min(
      firstIndex(this.#chunks, (chunk) => compare(chunk.at(-1), place) > 0),
      Math.max(last, 0),
    );
    const chunk = this.#chunks[index] ?? [];
    const grown = chunk.toSpliced(
      firstIndex(chunk, (other) => compare(other, place) > 0),
      0,
      place,
    );
    return new WaitingLine(this.#chunks.toSpliced(index, 1, ...split(grown)), this.size + 1);
  }

  /** The same line if it is not in there. */
  remove(place: Place): WaitingLine {
    const start = firstIndex(this.#chunks, (chunk) => compare(chunk.at(-1), place) >= 0);
    for (let index = start; index < this.#chunks.length; index++) {
      const chunk = this.#chunks[index] ?? [];
      if (compare(chunk[0], place) > 0) break;
      const position = chunk.findIndex((other) => other.id === place.id && compare(other, place) === 0);
      if (position < 0) continue;
      const left = chunk.toSpliced(position, 1);
      return new WaitingLine(this.#chunks.toSpliced(index, 1, ...(left.length > 0 ? [left] : [])), this.size - 1);
    }
    return this;
  }

  first(count: number): string[] {
    const ids: string[] = [];
    for (const id of this) {
      if (ids.length >= count) break;
      ids.push(id);
    }
    return ids;
  }

  /** All places, in order: what `from` takes. */
  toJSON(): readonly Place[] {
    return this.#chunks.flat();
  }

  *[Symbol.iterator](): IterableIterator<string> {
    for (const chunk of this.#chunks) for (const { id } of chunk) yield id;
  }
}

const LONGEST_CHUNK = 128;

function split(chunk: readonly Place[]): (readonly Place[])[] {
  if (chunk.length <= LONGEST_CHUNK) return [chunk];
  const middle = chunk.length / 2;
  return [chunk.slice(0, middle), chunk.slice(middle)];
}

function compare(a: Place | undefined, b: Place): number {
  return a === undefined ? 0 : a.rank - b.rank || a.at - b.at;
}

/** By halving: `isAfter` is false up to some element and true from there on. The length if it is never true. */
function firstIndex<T>(sorted: readonly T[], isAfter: (element: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const element = sorted[middle];
    if (element !== undefined && isAfter(element)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How much of a run's output a late reader can still get. */
const KEPT_CHARACTERS = 128 * 1024;

/**
 * A run's live output: one writer, any number of readers at any time. Each reader first gets what is kept (the
 * newest part), then what comes. A slow reader skips what has been dropped meanwhile; it never holds up the run.
 */
export interface OutputStream {
  write(chunk: string): void;
  end(): void;
  read(): AsyncIterable<string>;
}

export function createOutputStream(keptCharacters: number = KEPT_CHARACTERS): OutputStream {
  let chunks: string[] = [];
  let size = 0;
  /** The place of `chunks[0]`: positions are counted from the very first chunk. */
  let start = 0;
  /** The position of the oldest chunk that is kept. What stands before it in `chunks` is blank. */
  let oldest = 0;
  let isEnded = false;
  let wake = Promise.withResolvers<void>();

  function announce(): void {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  }

  function dropOldest(): void {
    size -= chunks[oldest - start]?.length ?? 0;
    chunks[oldest - start] = '';
    oldest++;
    // Not at each chunk: to copy thousands of them for every line that is written makes work for the collector.
    if (oldest - start <= chunks.length / 2) return;
    chunks = chunks.slice(oldest - start);
    start = oldest;
  }

  async function* read(): AsyncGenerator<string> {
    let position = 0;
    while (true) {
      position = Math.max(position, oldest);
      const chunk = chunks[position - start];
      if (chunk !== undefined) {
        position++;
        yield chunk;
      } else if (isEnded) return;
      else await wake.promise;
    }
  }

  return {
    write: (chunk) => {
      if (isEnded || chunk === '') return;
      const kept = chunk.slice(-keptCharacters);
      chunks.push(kept);
      size += kept.length;
      while (size > keptCharacters) dropOldest();
      announce();
    },
    end: () => {
      isEnded = true;
      announce();
    },
    read,
  };
}

/** How much of a run's output a late reader can still get. */
const KEPT_CHARACTERS = 256 * 1024;

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
  /** How many chunks were dropped from the front: positions are counted from the very first one. */
  let dropped = 0;
  let isEnded = false;
  let wake = Promise.withResolvers<void>();

  function announce(): void {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  }

  async function* read(): AsyncGenerator<string> {
    let position = 0;
    while (true) {
      position = Math.max(position, dropped);
      const chunk = chunks[position - dropped];
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
      let drop = 0;
      while (size > keptCharacters) size -= chunks[drop++]?.length ?? 0;
      if (drop > 0) chunks = chunks.slice(drop);
      dropped += drop;
      announce();
    },
    end: () => {
      isEnded = true;
      announce();
    },
    read,
  };
}

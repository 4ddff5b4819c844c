import { stripVTControlCharacters } from 'node:util';

/**
 * Text between the agent, which writes when it likes, and the one reader, who reads when it likes. Unread text is
 * bounded: the oldest goes first, so that a reader who never comes costs no memory.
 */
export interface OutputBuffer {
  readonly output: AsyncIterable<string>;
  /** Adds text; empty text and anything after `end` is dropped. */
  print(text: string): void;
  /** The reader gets what is buffered and then the end. Idempotent. */
  end(): void;
}

export function createOutputBuffer(limit = UNREAD_LIMIT): OutputBuffer {
  const chunks: string[] = [];
  let unread = 0;
  let isEnded = false;
  let wake: () => void = () => undefined;

  async function* read(): AsyncGenerator<string, void, undefined> {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk !== undefined) {
        unread -= chunk.length;
        yield chunk;
      } else if (isEnded) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  return {
    output: read(),
    print: (text) => {
      const chunk = plainText(text);
      if (isEnded || chunk === '') return;
      chunks.push(chunk);
      unread += chunk.length;
      while (unread > limit && chunks.length > 1) unread -= chunks.shift()?.length ?? 0;
      wake();
    },
    end: () => {
      isEnded = true;
      wake();
    },
  };
}

const UNREAD_LIMIT = 1_000_000;

/** Without terminal escapes and control characters: what an agent prints must not steer the user's terminal. */
function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '');
}

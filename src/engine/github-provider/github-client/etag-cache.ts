import type { SlimAnswer } from './slim-answer.ts';

/** A full answer to a GET, kept so that the forge may answer "not modified" next time. */
export interface CachedAnswer {
  /** Whom the forge gave it to. */
  readonly token: string;
  readonly etag: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly answer: SlimAnswer;
}

/** The least recently used answers go first once all together are over `maxSize`. */
export interface ETagCache {
  /** Nothing if the answer was for another token. */
  get(key: string, token: string): CachedAnswer | undefined;
  set(key: string, answer: CachedAnswer): void;
  clear(): void;
}

/** What an answer takes besides its data: many small ones must not add up to more than a few large ones. */
export const ANSWER_OVERHEAD = 1_000;

export function createETagCache(maxSize: number): ETagCache {
  const answers = new Map<string, CachedAnswer>();
  let size = 0;

  const sizeOf = ({ answer }: CachedAnswer) => answer.size + ANSWER_OVERHEAD;

  const remove = (key: string) => {
    const answer = answers.get(key);
    if (answer === undefined) return;
    size -= sizeOf(answer);
    answers.delete(key);
  };

  return {
    get(key, token) {
      const answer = answers.get(key);
      if (answer?.token !== token) return undefined;
      // A Map iterates in order of insertion: putting it back makes it the newest.
      answers.delete(key);
      answers.set(key, answer);
      return answer;
    },
    set(key, answer) {
      remove(key);
      if (sizeOf(answer) > maxSize) return;
      answers.set(key, answer);
      size += sizeOf(answer);
      for (const oldest of answers.keys()) {
        if (size <= maxSize) break;
        remove(oldest);
      }
    },
    clear() {
      answers.clear();
      size = 0;
    },
  };
}

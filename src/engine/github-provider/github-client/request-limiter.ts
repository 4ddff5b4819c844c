/** Runs at most `max` tasks at once; the others wait their turn, first come first served. */
export function createRequestLimiter(max: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  const acquire = async () => {
    if (running < max) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const release = () => {
    const next = waiting.shift();
    // The slot is handed over, so that nobody can slip in between.
    if (next === undefined) running -= 1;
    else next();
  };

  return async (task) => {
    await acquire();
    try {
      return await task();
    } finally {
      release();
    }
  };
}

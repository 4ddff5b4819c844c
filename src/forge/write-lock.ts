/** Lets one write happen at a time, in the order of their arrival. */
export interface WriteLock {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createWriteLock(): WriteLock {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
  };
}

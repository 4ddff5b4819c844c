export type FirstRunAnswer = 'plan' | 'assume-planned';

/**
 * The question of the first run, asked on the screen: pass `ask` to the engine as `onFirstRun`, and the question itself to
 * `runTUI`. Without an answer (the user quits) the promise stays open and nothing is decided.
 */
export interface FirstRunQuestion {
  readonly ask: (specPaths: readonly string[]) => Promise<FirstRunAnswer>;
  /** Calls back with the specs when the question is asked, at once if it was already. Returns a function that ends it. */
  readonly onAsked: (listener: (specPaths: readonly string[]) => void) => () => void;
  readonly answer: (answer: FirstRunAnswer) => void;
}

export function createFirstRunQuestion(): FirstRunQuestion {
  const listeners = new Set<(specPaths: readonly string[]) => void>();
  const answered = Promise.withResolvers<FirstRunAnswer>();
  let asked: readonly string[] | null = null;
  return {
    ask: (specPaths) => {
      asked = specPaths;
      for (const listener of listeners) listener(specPaths);
      return answered.promise;
    },
    onAsked: (listener) => {
      listeners.add(listener);
      if (asked !== null) listener(asked);
      return () => listeners.delete(listener);
    },
    answer: answered.resolve,
  };
}

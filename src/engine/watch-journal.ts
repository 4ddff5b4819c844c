import type { Journal } from './journal-port.ts';

/**
 * The same journal, except that `onFailure` hears of every call that was rejected, whoever made it: an engine that
 * cannot write down what it does must stop.
 */
export function watchJournal(journal: Journal, onFailure: (error: unknown) => void): Journal {
  function watched<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      try {
        return await call(...args);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    };
  }
  return {
    ...journal,
    append: watched(journal.append),
    appendAll: watched(journal.appendAll),
    beginStep: watched(journal.beginStep),
    endStep: watched(journal.endStep),
    dropStep: watched(journal.dropStep),
    saveResult: watched(journal.saveResult),
    loadResult: watched(journal.loadResult),
  };
}

import type { Clock } from './ports.ts';

const LONGEST_MS = 2 ** 31 - 1;

/** Real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    // Node calls back at once where it cannot count so far: whoever waits for ever would spin.
    const timer = setTimeout(callback, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

import type { Clock } from '../../src/engine/ports.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on; timers that fall due are called in order. */
  advance(ms: number): void;
  /** How many timers are waiting. */
  readonly pending: number;
}

export function createManualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => now,
    after: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      now += ms;
      const due = [...timers].filter((timer) => timer.at <= now).toSorted((a, b) => a.at - b.at);
      for (const timer of due) {
        if (timers.delete(timer)) timer.callback();
      }
    },
    get pending() {
      return timers.size;
    },
  };
}

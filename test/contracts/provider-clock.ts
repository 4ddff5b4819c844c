import type { Clock } from '../../src/engine/ports.ts';

/** A clock on which every wait ends at once, having taken its time; the waits are written down. */
export interface HastyClock extends Clock {
  readonly waits: readonly number[];
  advance(ms: number): void;
}

export function createHastyClock(start = Date.now()): HastyClock {
  const waits: number[] = [];
  let now = start;
  return {
    waits,
    now: () => now,
    after(ms, callback) {
      waits.push(ms);
      now += ms;
      queueMicrotask(callback);
      return () => {};
    },
    advance(ms) {
      now += ms;
    },
  };
}

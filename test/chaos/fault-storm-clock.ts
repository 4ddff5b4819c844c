import type { Clock } from '../../src/engine/ports.ts';

/** A clock that goes `speed` times as fast as real time: a minute's wait takes a second at 60. */
export function createFastClock(speed: number): Clock {
  const start = Date.now();
  const begin = performance.now();
  return {
    now: () => Math.floor(start + (performance.now() - begin) * speed),
    after(ms, callback) {
      const timer = setTimeout(callback, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}

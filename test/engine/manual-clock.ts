import type { Clock } from '../../src/engine/ports.ts';

export interface ManualClock extends Clock {
  /** Moves time on and fires what is due, earliest first. */
  advance(ms: number): void;
  /** When the next timer is due, or null. */
  nextDue(): number | null;
}

export function createManualClock(start = 1_700_000_000_000): ManualClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const earliest = () => [...timers].sort((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    after: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      const end = now + ms;
      for (let next = earliest(); next !== undefined && next.at <= end; next = earliest()) {
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
    },
    nextDue: () => earliest()?.at ?? null,
  };
}

import type { EventBody } from '../../domain/event.ts';
import type { Clock } from '../ports.ts';
import type { Wake } from './next-wake.ts';

/** One timer, for the next point in time that something waits for. */
export interface WakeTimer {
  /** Call after every change of the state; arms the timer anew if what comes next is something else. */
  set(next: Wake | null): void;
  stop(): void;
}

/**
 * The time of day is looked at again this often. It can jump ahead of the timer (somebody sets the clock, a laptop sleeps),
 * and timers cannot be set further ahead than some weeks.
 */
const LONGEST_MS = 60_000;

/** What is due comes when the time of day says so, or when as much time has passed as it took: whichever is first. */
export function createWakeTimer(clock: Clock, onDue: (body: EventBody) => void): WakeTimer {
  let cancel = () => {};
  let armed: string | null = null;

  function arm(next: Wake, leftMs: number): void {
    const stretchMs = Math.min(leftMs, LONGEST_MS);
    cancel = clock.after(stretchMs, () => {
      const stillMs = Math.min(leftMs - stretchMs, next.at - clock.now());
      if (stillMs > 0) return arm(next, stillMs);
      armed = null;
      onDue(next.body);
    });
  }

  function set(next: Wake | null): void {
    const name = next === null ? null : JSON.stringify(next);
    if (name === armed) return;
    cancel();
    armed = name;
    if (next !== null) arm(next, Math.max(0, next.at - clock.now()));
  }

  return { set, stop: () => cancel() };
}

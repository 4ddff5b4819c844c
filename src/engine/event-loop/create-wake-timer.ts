import type { EventBody } from '../../domain/event.ts';
import type { Clock } from '../ports.ts';
import type { Wake } from './next-wake.ts';

/** One timer, for the next point in time that something waits for. */
export interface WakeTimer {
  /** Call after every change of the state; arms the timer anew if what comes next is something else. */
  set(next: Wake | null): void;
  stop(): void;
}

/** Timers cannot be set further ahead than this; one that fires early is simply set again. */
const LONGEST_MS = 2 ** 31 - 1;

export function createWakeTimer(clock: Clock, onDue: (body: EventBody) => void): WakeTimer {
  let cancel = () => {};
  let armed: string | null = null;

  function set(next: Wake | null): void {
    const name = next === null ? null : JSON.stringify(next);
    if (name === armed) return;
    cancel();
    armed = name;
    if (next === null) return;
    const ms = Math.max(0, next.at - clock.now());
    cancel = clock.after(Math.min(ms, LONGEST_MS), () => {
      armed = null;
      if (ms > LONGEST_MS) set(next);
      else onDue(next.body);
    });
  }

  return { set, stop: () => cancel() };
}

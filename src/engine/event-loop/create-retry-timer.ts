import type { Clock } from '../ports.ts';
import type { EngineState } from '../state-store/engine-state.ts';

/** Wakes the engine when the pause of an effort is over. One timer, for the earliest; derived from the state. */
export interface RetryTimer {
  /** Call after every change of the state. */
  watch(before: EngineState, after: EngineState): void;
  stop(): void;
}

/** Timers cannot be set further ahead than this. */
const LONGEST_MS = 2 ** 31 - 1;

export function createRetryTimer(clock: Clock, onDue: (effort: string) => void): RetryTimer {
  let cancel = () => {};
  let armedFor: string | null = null;

  function arm(state: EngineState): void {
    const next = earliestRetry(state);
    const name = next === null ? null : `${next.effort}@${next.at}`;
    if (name === armedFor) return;
    cancel();
    armedFor = name;
    if (next === null) return;
    cancel = clock.after(Math.min(Math.max(0, next.at - clock.now()), LONGEST_MS), () => {
      armedFor = null;
      onDue(next.effort);
    });
  }

  return {
    watch: (before, after) => {
      if (after.isOpen && (before.efforts !== after.efforts || !before.isOpen)) arm(after);
    },
    stop: () => cancel(),
  };
}

function earliestRetry(state: EngineState): { effort: string; at: number } | null {
  let earliest: { effort: string; at: number } | null = null;
  for (const [effort, { retry }] of state.efforts) {
    if (retry !== null && (earliest === null || retry.at < earliest.at)) earliest = { effort, at: retry.at };
  }
  return earliest;
}

import type { Event, EventBody } from '../../domain/event.ts';
import { nextDayAt } from '../../domain/spend.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { effortOf, isWithinBudget } from '../state-store/engine-state.ts';

/** A revision without any check after this long has no CI. */
const CHECKS_GRACE_MS = 2 * 60 * 1000;

export interface Wake {
  readonly at: number;
  readonly body: EventBody;
}

/** The next point in time that something waits for, or null. Derived from the state, so a restart knows it too. */
export function nextWake(state: EngineState, now: number, settings: WorkflowSettings): Wake | null {
  if (!state.isOpen) return null;
  const wakes: Wake[] = [];
  for (const id of state.timed.keys()) {
    const { retry, awaitsCI } = effortOf(state, id);
    if (retry !== null) wakes.push({ at: retry.at, body: { type: 'retryDue', effort: id } });
    if (awaitsCI !== null && !awaitsCI.isOverdue) {
      wakes.push({ at: awaitsCI.since + CHECKS_GRACE_MS, body: { type: 'checksOverdue', workItemID: id } });
    }
  }
  if (state.waiting.size > 0 && !isWithinBudget(state, now, settings.budget)) {
    wakes.push({ at: nextDayAt(now), body: { type: 'dayBegan' } });
  }
  return wakes.reduce<Wake | null>((first, wake) => (first === null || wake.at < first.at ? wake : first), null);
}

/** Whether what comes next may be something else after this event. Spares the look at every effort otherwise. */
export function isWakeAffected(event: Event, before: EngineState, after: EngineState): boolean {
  const isTimer =
    event.body.type === 'retryDue' || event.body.type === 'checksOverdue' || event.body.type === 'dayBegan';
  return (
    isTimer ||
    before.efforts !== after.efforts ||
    before.timed !== after.timed ||
    before.waiting !== after.waiting ||
    before.spend !== after.spend ||
    before.isOpen !== after.isOpen
  );
}

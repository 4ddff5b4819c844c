import { dueOf } from '../../domain/effort.ts';
import type { Event, EventBody } from '../../domain/event.ts';
import { nextDayAt } from '../../domain/spend.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { effortOf, isWithinBudget } from '../state-store/engine-state.ts';

export interface Wake {
  readonly at: number;
  readonly body: EventBody;
}

/** The next point in time that something waits for, or null. Derived from the state, so a restart knows it too. */
export function nextWake(state: EngineState, now: number, settings: WorkflowSettings): Wake | null {
  if (!state.isOpen) return null;
  const isOutOfMoney = state.waiting.size > 0 && !isWithinBudget(state, now, settings.budget);
  const newDay: Wake | null = isOutOfMoney ? { at: nextDayAt(now), body: { type: 'dayBegan' } } : null;
  const due = firstDue(state);
  return due !== null && newDay !== null && newDay.at < due.at ? newDay : (due ?? newDay);
}

function firstDue(state: EngineState): Wake | null {
  const [id] = state.timed.first(1);
  const due = id === undefined ? null : dueOf(effortOf(state, id));
  if (id === undefined || due === null) return null;
  return {
    at: due.at,
    body: due.what === 'retry' ? { type: 'retryDue', effort: id } : { type: 'checksOverdue', workItemID: id },
  };
}

/** Whether what comes next may be something else after this event. After most events it is not. */
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

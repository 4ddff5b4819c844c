import type { Run } from '../../domain/run.ts';
import { workItemOf } from '../../domain/run.ts';
import type { Priority } from '../../domain/work-item.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { isWithinBudget } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';

/** Gives free slots to waiting runs: by priority, then by age. Planners and reviewers finish what others began. */
export const startWaitingRuns: Handler = ({ event, state, settings }) => {
  const free = settings.maxConcurrent - state.slotsUsed;
  if (!state.isOpen || free <= 0 || state.waiting.size === 0) return [];
  if (!isWithinBudget(state, event.at, settings.budget)) return [];
  return [...state.waiting.keys()]
    .map((sessionID) => state.runs.get(sessionID))
    .filter((run) => run !== undefined)
    .sort(
      (a, b) =>
        rank(state, a) - rank(state, b) || a.requestedAt - b.requestedAt || (a.sessionID < b.sessionID ? -1 : 1),
    )
    .slice(0, free)
    .map(({ sessionID, subject, attempt, model }) => ({ type: 'startRun', sessionID, subject, attempt, model }));
};

const RANKS: Readonly<Record<Priority, number>> = { high: 1, medium: 2, low: 4 };

function rank(state: EngineState, run: Run): number {
  const workItemID = workItemOf(run.subject);
  if (workItemID === null) return 0;
  const priority = state.workItems.get(workItemID)?.priority ?? null;
  return priority === null ? 3 : RANKS[priority];
}

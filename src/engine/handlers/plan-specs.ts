import { PLANNING } from '../../domain/effort.ts';
import { effortOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import { specsToPlan } from '../state-store/specs-to-plan.ts';
import type { Handler } from './handler.ts';

/** One planner at a time, for all approved specs that changed since they were last planned. */
export const planSpecs: Handler = ({ event, state, newSessionID }) => {
  if (!MAY_CHANGE_PLANNING.has(event.body.type) || !state.isOpen) return [];
  if (unfinishedRunOf(state, PLANNING) || state.plans.size > 0) return [];
  const effort = effortOf(state, PLANNING);
  if (effort.isHeld || effort.retry !== null) return [];
  const specs = specsToPlan(state);
  if (Object.keys(specs).length === 0) return [];
  return [
    {
      type: 'startRun',
      sessionID: newSessionID(),
      subject: { role: 'planner', specs, commitSHA: state.commitSHA },
      attempt: effort.failures.planner + 1,
      model: null,
    },
  ];
};

const MAY_CHANGE_PLANNING: ReadonlySet<string> = new Set([
  'specsSeen',
  'startupFinished',
  'retryDue',
  'runCompleted',
  'workItemCreated',
  'workItemUpdated',
  'workItemClosed',
]);

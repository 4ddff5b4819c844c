import type { WorkItem } from '../../domain/work-item.ts';
import { hasOpenBlockers } from '../state-store/blockers.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { effortOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';

/** A pending item becomes ready when every blocker is closed as completed. Nothing does while a plan is applied. */
export const markReady: Handler = (context) => {
  const { event, state } = context;
  if (!state.isOpen || state.plans.size > 0) return [];
  // What follows from a result decides about its item.
  const completed = event.body.type === 'runCompleted' ? event.body.sessionID : null;
  return context.touched
    .filter((item) => isReady(state, item) && state.lastRuns.get(item.id)?.sessionID !== completed)
    .map((item) => ({ type: 'transitionStatus', workItemID: item.id, to: 'ready', cause: 'workflow', comment: null }));
};

function isReady(state: EngineState, item: WorkItem): boolean {
  if (item.status !== 'pending' || state.lanes.has(item.id) || state.leaving.has(item.id)) return false;
  const effort = effortOf(state, item.id);
  if (effort.retry !== null || effort.isHeld || effort.awaitsPlan || unfinishedRunOf(state, item.id)) return false;
  return !hasOpenBlockers(state, item);
}

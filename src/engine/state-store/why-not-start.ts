import { PLANNING } from '../../domain/effort.ts';
import type { RunSubject } from '../../domain/run.ts';
import { isDispatchable } from '../../domain/status-rules.ts';
import { hasOpenBlockers } from './blockers.ts';
import type { EngineState } from './engine-state.ts';
import { unfinishedRunOf } from './engine-state.ts';

/** Why a run must not be started, or go on waiting for its start, in this state; null if it may. */
export function whyNotStart(state: EngineState, sessionID: string, subject: RunSubject): string | null {
  const id = subject.role === 'planner' ? PLANNING : subject.workItemID;
  const running = unfinishedRunOf(state, id);
  if (running && running.sessionID !== sessionID) return `an agent is already running (${running.subject.role})`;
  if (running && running.status !== 'waiting') return 'the run is already started';
  if (subject.role === 'planner') return null;

  const item = state.workItems.get(subject.workItemID);
  if (item === undefined || state.leaving.has(item.id)) return 'the work item is not tracked';
  if (subject.role === 'reviewer') {
    const revision = state.revisions.get(subject.revisionID);
    if (revision === undefined || revision.isDraft) return 'it has no open revision that is ready for review';
    // The engine's own transition to `review` may still be on its way in the same lane.
    return item.status === 'review' || state.lanes.has(item.id) ? null : `its status is ${item.status}`;
  }
  if (!isDispatchable(item.status)) return `its status is ${item.status}`;
  if (item.status === 'pending' && hasOpenBlockers(state, item)) return 'its blockers are not closed yet';
  return null;
}

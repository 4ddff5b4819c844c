import type { Command } from '../../domain/command.ts';
import { PLANNING } from '../../domain/effort.ts';
import type { RunSubject } from '../../domain/run.ts';
import { isDispatchable, mayEngineMove } from '../../domain/status-rules.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { unfinishedRunOf } from '../state-store/engine-state.ts';
import { hasOpenBlockers } from '../state-store/blockers.ts';

/** Why a command must not be admitted in this state, or null. Asked once, when it is proposed. */
export function whyRefused(state: EngineState, command: Command): string | null {
  if (command.type === 'startRun') return whyNotStart(state, command.sessionID, command.subject);
  return whyObsolete(state, command);
}

/**
 * Why an admitted command no longer makes sense, or null. Asked again before each of its external calls, because
 * the world moves on while a command waits in its lane.
 */
export function whyObsolete(state: EngineState, command: Command): string | null {
  switch (command.type) {
    case 'startRun': {
      const run = state.runs.get(command.sessionID);
      return run?.status === 'requested' ? null : 'the run was ended before it started';
    }
    case 'cancelRun':
      return state.runs.has(command.sessionID) ? null : 'the run has already ended';
    case 'transitionStatus': {
      const item = state.workItems.get(command.workItemID);
      if (item === undefined) return 'the work item is gone';
      if (item.status === command.to) return `its status is already ${command.to}`;
      return mayEngineMove(item.status, command.to) ? null : `its status is ${item.status} by now`;
    }
    case 'publishRevision':
    case 'postReview':
      return whyNotApplied(state, command.workItemID, command.sessionID);
    case 'mergeRevision':
      return whyNotMerge(state, command.workItemID, command.revisionID, command.headSHA);
    case 'createWorkItem':
    case 'updateWorkItem':
    case 'closeWorkItem':
      return state.plans.has(command.sessionID) ? null : 'its plan was given up';
  }
}

/** Merging is a human's act; these are its conditions, whoever asks. */
function whyNotMerge(state: EngineState, workItemID: string, revisionID: string, headSHA: string): string | null {
  const revision = state.revisions.get(revisionID);
  const status = state.workItems.get(workItemID)?.status;
  if (revision === undefined) return 'the pull request is no longer open';
  if (revision.headSHA !== headSHA) return 'the pull request has new commits';
  if (status !== 'approved') return `its status is ${status ?? 'unknown'}, not approved`;
  if (revision.isMergeable === false) return 'it conflicts with the default branch';
  const isGreen = revision.pipeline?.status === 'success' || revision.pipeline?.checkCount === 0;
  return isGreen ? null : 'CI is not green';
}

function whyNotStart(state: EngineState, sessionID: string, subject: RunSubject): string | null {
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
  if (item.status === 'pending' && state.plans.size > 0) return 'a plan is being applied';
  return null;
}

/** A result whose session is not its item's current run is stored, never applied. */
function whyNotApplied(state: EngineState, workItemID: string, sessionID: string): string | null {
  if (!state.workItems.has(workItemID)) return 'the work item is gone';
  return state.currentRuns.get(workItemID) === sessionID ? null : 'a newer run has taken over';
}

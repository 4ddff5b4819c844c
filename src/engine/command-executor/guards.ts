import type { Command } from '../../domain/command.ts';
import type { RunSubject } from '../../domain/run.ts';
import { mayEngineMove } from '../../domain/status-rules.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { effortOf } from '../state-store/engine-state.ts';
import { whyNotStart } from '../state-store/why-not-start.ts';

/** Why a command must not be admitted in this state, or null. Asked once, when it is proposed. */
export function whyRefused(state: EngineState, command: Command): string | null {
  if (command.type === 'startRun') {
    return whyNotStart(state, command.sessionID, command.subject) ?? whyPlanned(state, command.subject);
  }
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
    case 'commentOnItem':
      return state.workItems.has(command.workItemID) ? null : 'the work item is gone';
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
  const { approvedSHA } = effortOf(state, workItemID);
  if (approvedSHA !== null && approvedSHA !== headSHA) return 'it has commits that nobody reviewed';
  if (status !== 'approved') return `its status is ${status ?? 'unknown'}, not approved`;
  if (revision.isMergeable === false) return 'it conflicts with the default branch';
  const isGreen = revision.pipeline?.status === 'success' || revision.pipeline?.checkCount === 0;
  return isGreen ? null : 'CI is not green';
}

/** Nothing of a plan is dispatched before all of it is applied. At most one plan is open. */
function whyPlanned(state: EngineState, subject: RunSubject): string | null {
  if (subject.role === 'planner') return null;
  for (const plan of state.plans.values()) {
    if (Object.values(plan.created).includes(subject.workItemID)) return 'its plan is still being applied';
  }
  return null;
}

/** A result whose session is not its item's current run is stored, never applied. */
function whyNotApplied(state: EngineState, workItemID: string, sessionID: string): string | null {
  if (!state.workItems.has(workItemID)) return 'the work item is gone';
  return state.currentRuns.get(workItemID) === sessionID ? null : 'a newer run has taken over';
}

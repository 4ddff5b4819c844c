import type { TransitionCause } from '../../domain/command.ts';
import type { Event, OutcomeEvent } from '../../domain/event.ts';
import type { Plan } from '../../domain/plan.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from './engine-state.ts';
import { effortOf, linkedRevisionOf } from './engine-state.ts';
import { withFailureCounted } from './reduce-run.ts';
import {
  withEffort,
  withoutWorkItem,
  withPlan,
  withPlanGivenUp,
  withRevision,
  withRunMoved,
  withStatus,
  withWorkItem,
} from './state-changes.ts';

/** How a command ended. */
export function reduceOutcome(
  state: EngineState,
  event: Event,
  body: OutcomeEvent,
  settings: WorkflowSettings,
): EngineState {
  switch (body.type) {
    case 'statusWritten': {
      const next = withRoundCounted(written(state, body.workItemID), body.workItemID, body.cause);
      if (body.to === 'closed') return withoutWorkItem(next, body.workItemID, 'completed');
      return withStatus(next, body.workItemID, body.to);
    }
    case 'revisionPublished': {
      const next = withRevision(written(state, body.workItemID), body.revision);
      const isWaiting = settings.review.trigger === 'ci-success' && !body.revision.isDraft;
      const awaitsCI = isWaiting ? { headSHA: body.revision.headSHA, since: event.at, isOverdue: false } : null;
      const effort = effortOf(next, body.workItemID);
      if (effort.repair === null && awaitsCI === null) return next;
      return withEffort(next, body.workItemID, { ...effort, repair: null, awaitsCI });
    }
    case 'reviewPosted': {
      const next = written(state, body.workItemID);
      const effort = effortOf(next, body.workItemID);
      const subject = next.lastRuns.get(body.workItemID)?.subject;
      if (body.verdict === 'approve') {
        const approvedSHA = subject?.role === 'reviewer' ? subject.headSHA : null;
        return withEffort(next, body.workItemID, { ...effort, approvedSHA });
      }
      return withEffort(next, body.workItemID, { ...effort, reviewRounds: effort.reviewRounds + 1 });
    }
    case 'commentPosted':
    case 'revisionMerged':
      return written(state, body.workItemID);
    case 'workItemCreated': {
      const next = withWorkItem(written(state, body.item.id), body.item);
      return withPlanStep(next, body.sessionID, (plan) => ({
        ...plan,
        created: { ...plan.created, [body.tempID]: body.item.id },
      }));
    }
    case 'workItemUpdated':
      return withPlanStep(written(state, body.workItemID), body.sessionID, (plan) => ({
        ...plan,
        updated: [...plan.updated, body.workItemID],
      }));
    case 'workItemClosed': {
      const next = withoutWorkItem(written(state, body.workItemID), body.workItemID, 'not-planned');
      return withPlanStep(next, body.sessionID, (plan) => ({ ...plan, closed: [...plan.closed, body.workItemID] }));
    }
    case 'runCancelled':
      return state;
    case 'commandFailed':
    case 'commandSuperseded':
      return reduceUndone(state, event, body, settings);
  }
}

/** A command that did not do its work: what it had reserved is given back. */
function reduceUndone(
  state: EngineState,
  event: Event,
  body: Extract<OutcomeEvent, { type: 'commandFailed' | 'commandSuperseded' }>,
  settings: WorkflowSettings,
): EngineState {
  const { command } = body;
  const failure = body.type === 'commandFailed' ? body.failure : null;
  switch (command.type) {
    case 'startRun': {
      const run = state.runs.get(command.sessionID);
      if (run === undefined) return state;
      const error = body.type === 'commandFailed' ? body.failure.message : body.reason;
      const to = failure === null ? 'cancelled' : 'failed';
      const ended = withRunMoved(state, run.sessionID, to, { endedAt: event.at, failure: error });
      return failure === null ? ended : withFailureCounted(ended, run, event, false, settings);
    }
    case 'createWorkItem':
    case 'updateWorkItem':
    case 'closeWorkItem': {
      return failure === null ? state : withPlanGivenUp(state, command.sessionID, event.at, settings.retry);
    }
    case 'publishRevision': {
      if (failure?.kind !== 'conflict') return state;
      const effort = effortOf(state, command.workItemID);
      return withEffort(state, command.workItemID, { ...effort, repair: { conflictPaths: failure.paths } });
    }
    case 'postReview':
    case 'transitionStatus': {
      // The forge said no: asking again at once would get the same answer, again and again.
      if (failure === null || !state.workItems.has(command.workItemID)) return state;
      const effort = effortOf(state, command.workItemID);
      return withEffort(state, command.workItemID, { ...effort, retry: null, isHeld: true });
    }
    case 'cancelRun':
    case 'commentOnItem':
    case 'mergeRevision':
      return state;
  }
}

/** An item that goes back because of CI or a conflict: one head counts once. */
function withRoundCounted(state: EngineState, workItemID: string, cause: TransitionCause): EngineState {
  const effort = effortOf(state, workItemID);
  const headSHA = linkedRevisionOf(state, workItemID)?.headSHA ?? null;
  switch (cause) {
    case 'red-ci':
      return withEffort(state, workItemID, {
        ...effort,
        ciRounds: effort.ciRounds + 1,
        ciRepairedSHA: headSHA,
        awaitsCI: null,
      });
    case 'conflict':
      return withEffort(state, workItemID, {
        ...effort,
        conflictRounds: effort.conflictRounds + 1,
        conflictSHA: headSHA,
        repair: effort.repair ?? { conflictPaths: [] },
        awaitsCI: null,
      });
    case 'workflow':
    case 'recovery':
    case 'completion':
      return state;
  }
}

function written(state: EngineState, workItemID: string): EngineState {
  return { ...state, lastWrites: state.lastWrites.set(workItemID, state.seq) };
}

function withPlanStep(state: EngineState, sessionID: string, change: (plan: Plan) => Plan): EngineState {
  const plan = state.plans.get(sessionID);
  return plan === undefined ? state : withPlan(state, change(plan));
}

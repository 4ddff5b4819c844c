import type { Event, EventBody, ObservedEvent, OutcomeEvent, RunEvent } from '../../domain/event.ts';
import { settledBy } from '../../domain/event.ts';
import { FRESH_EFFORT, PLANNING, afterFailure } from '../../domain/effort.ts';
import { checkPlan, isApplied } from '../../domain/plan.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Run } from '../../domain/run.ts';
import { workItemOf } from '../../domain/run.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from './engine-state.ts';
import { effortOf } from './engine-state.ts';
import {
  withEffort,
  withoutRevision,
  withoutWorkItem,
  withRevision,
  withRunMoved,
  withSettledCommand,
  withStatus,
  withWorkItem,
} from './state-changes.ts';

/** The state after an event. Pure: the same events give the same states. */
export function reduce(state: EngineState, event: Event, settings: WorkflowSettings): EngineState {
  const settles = settledBy(event.body);
  const counted = { ...state, seq: event.seq };
  const settled = settles === null ? counted : withSettledCommand(counted, settles);
  return reduceBody(settled, event, event.body, settings);
}

function reduceBody(state: EngineState, event: Event, body: EventBody, settings: WorkflowSettings): EngineState {
  switch (body.type) {
    case 'workItemSeen':
    case 'workItemGone':
    case 'blockerRead':
    case 'revisionSeen':
    case 'revisionGone':
    case 'specsSeen':
      return reduceObserved(state, body);
    case 'runStarted':
    case 'runCompleted':
    case 'runFailed':
      return reduceRun(state, event, body, settings);
    case 'statusWritten':
    case 'revisionPublished':
    case 'reviewPosted':
    case 'revisionMerged':
    case 'workItemCreated':
    case 'workItemUpdated':
    case 'workItemClosed':
    case 'runCancelled':
    case 'commandFailed':
    case 'commandSuperseded':
      return reduceOutcome(state, event, body, settings);
    case 'implementationRequested':
    case 'reviewRequested':
      // A person acted: the count of attempts and rounds starts anew. What went wrong stays known.
      return withEffort(state, body.workItemID, freshEffort(effortOf(state, body.workItemID).repair));
    case 'cancelRequested':
    case 'plannerCancelRequested':
    case 'mergeRequested':
      return state;
    case 'retryDue':
      return withEffort(state, body.effort, { ...effortOf(state, body.effort), retry: null });
    case 'startupFinished':
      return { ...state, isOpen: true };
    case 'shutdownRequested':
      return { ...state, isOpen: false };
  }
}

function reduceObserved(state: EngineState, body: ObservedEvent): EngineState {
  switch (body.type) {
    case 'workItemSeen': {
      const before = state.workItems.get(body.item.id);
      const next = withWorkItem(state, body.item);
      const isEdited = before !== undefined && before.contentDigest !== body.item.contentDigest;
      const isMoved = before !== undefined && before.status !== body.item.status;
      return isEdited || isMoved ? withEffort(next, body.item.id, FRESH_EFFORT) : next;
    }
    case 'workItemGone':
      return withoutWorkItem(state, body.workItemID, body.closedAs);
    case 'blockerRead':
      return { ...state, closures: state.closures.set(body.workItemID, body.closedAs ?? 'open') };
    case 'revisionSeen':
      return withRevision(state, body.revision);
    case 'revisionGone':
      return withoutRevision(state, body.revisionID);
    case 'specsSeen': {
      let { specs } = state;
      for (const spec of body.changed) specs = specs.set(spec.filePath, spec);
      for (const path of body.gone) specs = specs.delete(path);
      const next = { ...state, specs, commitSHA: body.commitSHA };
      return body.changed.length > 0 ? withEffort(next, PLANNING, FRESH_EFFORT) : next;
    }
  }
}

function reduceRun(state: EngineState, event: Event, body: RunEvent, settings: WorkflowSettings): EngineState {
  const run = state.runs.get(body.sessionID);
  if (run === undefined) return state;
  switch (body.type) {
    case 'runStarted':
      return withRunMoved(state, run.sessionID, 'running', { startedAt: event.at, logFilePath: body.logFilePath });
    case 'runFailed': {
      const failed = withRunMoved(state, run.sessionID, body.reason === 'cancelled' ? 'cancelled' : 'failed', {
        endedAt: event.at,
        failure: body.error,
        savedRef: body.savedRef,
      });
      return withFailureCounted(failed, run, event, body.reason === 'cancelled', settings);
    }
    case 'runCompleted': {
      if (body.conclusion.role !== 'planner' || run.subject.role !== 'planner') {
        return withRunMoved(state, run.sessionID, 'completed', { endedAt: event.at });
      }
      const isKnown = (id: string) => state.workItems.has(id) || state.closures.has(id);
      const check = checkPlan(run.sessionID, run.subject.specs, body.conclusion.plan, isKnown);
      if (!check.ok) {
        const failed = withRunMoved(state, run.sessionID, 'failed', { endedAt: event.at, failure: check.error });
        return withFailureCounted(failed, run, event, false, settings);
      }
      return withPlan(withRunMoved(state, run.sessionID, 'completed', { endedAt: event.at }), check.plan);
    }
  }
}

/** A cancelled run waits for a person; any other failure is tried again within the limits. */
function withFailureCounted(
  state: EngineState,
  run: Run,
  event: Event,
  isCancelled: boolean,
  settings: WorkflowSettings,
): EngineState {
  const id = workItemOf(run.subject) ?? PLANNING;
  if (id !== PLANNING && !state.workItems.has(id)) return state;
  const effort = effortOf(state, id);
  if (isCancelled) return withEffort(state, id, { ...effort, retry: null, isHeld: true });
  return withEffort(state, id, afterFailure(effort, run.subject.role, event.at, settings.retry));
}

function reduceOutcome(state: EngineState, event: Event, body: OutcomeEvent, settings: WorkflowSettings): EngineState {
  switch (body.type) {
    case 'statusWritten': {
      const next = written(state, body.workItemID);
      if (body.to === 'closed') return withoutWorkItem(next, body.workItemID, 'completed');
      return withStatus(next, body.workItemID, body.to);
    }
    case 'revisionPublished': {
      const next = withRevision(written(state, body.workItemID), body.revision);
      const effort = effortOf(next, body.workItemID);
      return effort.repair === null ? next : withEffort(next, body.workItemID, { ...effort, repair: null });
    }
    case 'reviewPosted': {
      const next = written(state, body.workItemID);
      if (body.verdict === 'approve') return next;
      const effort = effortOf(next, body.workItemID);
      return withEffort(next, body.workItemID, { ...effort, reviewRounds: effort.reviewRounds + 1 });
    }
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
      const error = failure?.message ?? (body.type === 'commandSuperseded' ? body.reason : '');
      const to = failure === null ? 'cancelled' : 'failed';
      const ended = withRunMoved(state, run.sessionID, to, { endedAt: event.at, failure: error });
      return failure === null ? ended : withFailureCounted(ended, run, event, false, settings);
    }
    case 'createWorkItem':
    case 'updateWorkItem':
    case 'closeWorkItem': {
      if (failure === null || !state.plans.has(command.sessionID)) return state;
      // Half a plan is no plan: its specs stay unplanned and the planner is asked again, knowing what exists.
      const effort = afterFailure(effortOf(state, PLANNING), 'planner', event.at, settings.retry);
      return withEffort({ ...state, plans: state.plans.delete(command.sessionID) }, PLANNING, effort);
    }
    case 'publishRevision': {
      if (failure?.kind !== 'conflict') return state;
      const effort = effortOf(state, command.workItemID);
      return withEffort(state, command.workItemID, { ...effort, repair: { conflictPaths: failure.paths } });
    }
    case 'cancelRun':
    case 'transitionStatus':
    case 'postReview':
    case 'mergeRevision':
      return state;
  }
}

function freshEffort(repair: ReturnType<typeof effortOf>['repair']) {
  return repair === null ? FRESH_EFFORT : { ...FRESH_EFFORT, repair };
}

function written(state: EngineState, workItemID: string): EngineState {
  return { ...state, lastWrites: state.lastWrites.set(workItemID, state.seq) };
}

function withPlanStep(state: EngineState, sessionID: string, change: (plan: Plan) => Plan): EngineState {
  const plan = state.plans.get(sessionID);
  return plan === undefined ? state : withPlan(state, change(plan));
}

/** Keeps a plan until all of it is applied; only then do its specs count as planned. */
function withPlan(state: EngineState, plan: Plan): EngineState {
  if (!isApplied(plan)) return { ...state, plans: state.plans.set(plan.sessionID, plan) };
  let { lastPlannedSHAs } = state;
  for (const [path, sha] of Object.entries(plan.specs)) lastPlannedSHAs = lastPlannedSHAs.set(path, sha);
  const done = { ...state, plans: state.plans.delete(plan.sessionID), lastPlannedSHAs };
  return withEffort(done, PLANNING, FRESH_EFFORT);
}

import type { Event, EventBody } from '../../domain/event.ts';
import { settledBy } from '../../domain/event.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from './engine-state.ts';
import { effortOf } from './engine-state.ts';
import { reduceObserved } from './reduce-observed.ts';
import { reduceOutcome } from './reduce-outcome.ts';
import { reduceRun } from './reduce-run.ts';
import { withEffort, withFreshEffort, withPlannedSpecs, withSettledCommand } from './state-changes.ts';

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
      return reduceObserved(state, event, body);
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
      // A person acted: the count of attempts and rounds starts anew.
      return withFreshEffort(state, body.workItemID);
    case 'retryDue':
      return withEffort(state, body.effort, { ...effortOf(state, body.effort), retry: null });
    case 'specsAssumedPlanned':
      return withPlannedSpecs(state, body.specs);
    case 'startupFinished':
      return { ...state, isOpen: true };
    case 'shutdownRequested':
      return { ...state, isOpen: false };
    case 'plannerCancelRequested':
    case 'cancelRequested':
    case 'mergeRequested':
    case 'checksOverdue':
    case 'dayBegan':
      return state;
  }
}

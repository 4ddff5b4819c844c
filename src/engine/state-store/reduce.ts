import { FRESH_EFFORT, PLANNING } from '../../domain/effort.ts';
import type { Event, EventBody } from '../../domain/event.ts';
import { settledBy } from '../../domain/event.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from './engine-state.ts';
import { effortOf, emptyState, unfinishedRunOf } from './engine-state.ts';
import { reduceObserved } from './reduce-observed.ts';
import { reduceOutcome } from './reduce-outcome.ts';
import { reduceRun } from './reduce-run.ts';
import { withEffort, withFreshEffort, withPlannedSpecs, withSettledCommand } from './state-changes.ts';
import { WaitingLine } from './waiting-line.ts';

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
      return reduceObserved(state, event, body, settings);
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
    case 'commentPosted':
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
    case 'engineStarted':
      return withoutForge(state);
    case 'startupFinished':
      return { ...withoutStrangers(state), isOpen: true };
    case 'shutdownRequested':
      return { ...state, isOpen: false };
    case 'cancelRequested':
      return withHeld(state, body.workItemID);
    case 'plannerCancelRequested':
      return withHeld(state, PLANNING);
    case 'checksOverdue': {
      const effort = effortOf(state, body.workItemID);
      if (effort.awaitsCI === null) return state;
      return withEffort(state, body.workItemID, { ...effort, awaitsCI: { ...effort.awaitsCI, isOverdue: true } });
    }
    case 'mergeRequested':
    case 'dayBegan':
      return state;
  }
}

/** Cancelled work waits for a person, whatever becomes of its run. */
function withHeld(state: EngineState, id: string): EngineState {
  const effort = effortOf(state, id);
  const isBusy = effort.retry !== null || unfinishedRunOf(state, id) !== undefined;
  return isBusy ? withEffort(state, id, { ...effort, retry: null, isHeld: true }) : state;
}

/** Only what the journal owns outlives a process. */
function withoutForge(state: EngineState): EngineState {
  const { seq, runs, lastRuns, plans, lastPlannedSHAs, efforts, spend, openCommands, lanes } = state;
  const { currentRuns, waiting, timed, slotsUsed, reservedUSD } = state;
  const owned = { seq, runs, lastRuns, plans, lastPlannedSHAs, efforts, spend, openCommands, lanes };
  const lines = { waiting: withTiesByID(waiting), timed: withTiesByID(timed) };
  return { ...emptyState(), ...owned, currentRuns, ...lines, slotsUsed, reservedUSD };
}

/** The journal's rows do not tell who came first among equals: a replay must not know better than a restart. */
function withTiesByID(line: WaitingLine): WaitingLine {
  return WaitingLine.from([...line.toJSON()].sort((a, b) => (a.id < b.id ? -1 : 1)));
}

/** Everything was read: what is remembered about items that are no longer tracked is of no use. */
function withoutStrangers(state: EngineState): EngineState {
  let next = state;
  for (const id of [...state.lastRuns.keys(), ...state.efforts.keys()]) {
    if (id === PLANNING || state.workItems.has(id) || unfinishedRunOf(state, id)) continue;
    const { lastRuns, currentRuns } = next;
    next = {
      ...withEffort(next, id, FRESH_EFFORT),
      lastRuns: lastRuns.delete(id),
      currentRuns: currentRuns.delete(id),
    };
  }
  return next;
}

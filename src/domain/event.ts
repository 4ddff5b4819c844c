import type { AgentReview, ImplementorOutcome, PlannerResult, Verdict } from './agent-result.ts';
import type { Command, TransitionCause } from './command.ts';
import type { Revision, RevisionState } from './revision.ts';
import type { AgentProcess, RunUsage } from './run.ts';
import type { Spec } from './spec.ts';
import type { Closure, WorkItem, WorkItemStatus } from './work-item.ts';

/** What was found by reading the forge. */
export type ObservedEvent =
  | { readonly type: 'workItemSeen'; readonly item: WorkItem }
  | { readonly type: 'workItemGone'; readonly workItemID: string; readonly closedAs: Closure | null }
  /** A blocker that is not among the tracked items. */
  | { readonly type: 'blockerRead'; readonly workItemID: string; readonly closedAs: Closure | null }
  | { readonly type: 'revisionSeen'; readonly revision: Revision }
  | {
      readonly type: 'revisionGone';
      readonly revisionID: string;
      readonly state: Exclude<RevisionState, 'open'>;
      readonly workItemID: string | null;
    }
  /** `changed` is new or different since the last poll; `gone` was deleted. */
  | {
      readonly type: 'specsSeen';
      readonly commitSHA: string;
      readonly changed: readonly Spec[];
      readonly gone: readonly string[];
    };

/** What a person asked for. */
export type RequestedEvent =
  | { readonly type: 'implementationRequested'; readonly workItemID: string }
  | { readonly type: 'reviewRequested'; readonly workItemID: string }
  | { readonly type: 'cancelRequested'; readonly workItemID: string }
  | { readonly type: 'plannerCancelRequested' }
  | { readonly type: 'mergeRequested'; readonly workItemID: string }
  | { readonly type: 'shutdownRequested' };

/** Specs that shall count as planned although no plan of ours made their items: path -> blob SHA. */
export interface SpecsAssumedPlannedEvent {
  readonly type: 'specsAssumedPlanned';
  readonly specs: Readonly<Record<string, string>>;
}

/** A run's result without its patch, which stays in the journal. */
export type RunConclusion =
  | { readonly role: 'planner'; readonly plan: PlannerResult }
  | { readonly role: 'implementor'; readonly outcome: ImplementorOutcome; readonly summary: string }
  | { readonly role: 'reviewer'; readonly review: AgentReview };

/** What happened to a run. `runStarted` and a failure before it settle the command that asked for the run. */
export type RunEvent =
  | {
      readonly type: 'runStarted';
      readonly sessionID: string;
      readonly logFilePath: string | null;
      readonly process?: AgentProcess | null;
      readonly settles: string;
    }
  | {
      readonly type: 'runCompleted';
      readonly sessionID: string;
      readonly conclusion: RunConclusion;
      readonly usage: RunUsage | null;
    }
  | {
      readonly type: 'runFailed';
      readonly sessionID: string;
      /** `interrupted` by our own shutdown, which is held against nobody; `lost` when the engine itself died. */
      readonly reason: 'failed' | 'cancelled' | 'interrupted' | 'lost';
      readonly error: string;
      readonly savedRef: string | null;
      readonly usage: RunUsage | null;
      readonly settles: string | null;
    };

/** Why a command did not do its work. `paths` is for patches that collide with other work. */
export interface CommandFailure {
  readonly kind: string;
  readonly message: string;
  readonly paths: readonly string[];
}

/** How a command ended. `settles` names it. */
export type OutcomeEvent =
  | { readonly type: 'commentPosted'; readonly workItemID: string; readonly settles: string }
  | {
      readonly type: 'statusWritten';
      readonly workItemID: string;
      readonly to: WorkItemStatus;
      readonly cause: TransitionCause;
      /** Null while the command goes on (a run marks its item before it starts). */
      readonly settles: string | null;
    }
  | {
      readonly type: 'revisionPublished';
      readonly workItemID: string;
      readonly sessionID: string;
      readonly revision: Revision;
      readonly settles: string;
    }
  | {
      readonly type: 'reviewPosted';
      readonly workItemID: string;
      readonly sessionID: string;
      readonly revisionID: string;
      readonly reviewID: string;
      readonly verdict: Verdict;
      readonly settles: string;
    }
  | {
      readonly type: 'revisionMerged';
      readonly workItemID: string;
      readonly revisionID: string;
      readonly settles: string;
    }
  | {
      readonly type: 'workItemCreated';
      readonly sessionID: string;
      readonly tempID: string;
      readonly item: WorkItem;
      readonly settles: string;
    }
  | {
      readonly type: 'workItemUpdated';
      readonly sessionID: string;
      readonly workItemID: string;
      readonly settles: string;
    }
  | {
      readonly type: 'workItemClosed';
      readonly sessionID: string;
      readonly workItemID: string;
      readonly settles: string;
    }
  | { readonly type: 'runCancelled'; readonly sessionID: string; readonly settles: string }
  | {
      readonly type: 'commandFailed';
      readonly command: Command;
      readonly failure: CommandFailure;
      readonly settles: string;
    }
  | {
      readonly type: 'commandSuperseded';
      readonly command: Command;
      readonly reason: string;
      readonly settles: string;
    };

/** Everything was read and every interrupted command went on: from here on agents may be started. */
export interface StartupFinishedEvent {
  readonly type: 'startupFinished';
}

/** A new process: what the forge owns is read anew, so nothing of it is known any more. */
export interface EngineStartedEvent {
  readonly type: 'engineStarted';
}

/** A point in time has come that something waited for. */
export type TimerEvent =
  /** A pause is over. `effort` is a work item's id, or `planning`. */
  | { readonly type: 'retryDue'; readonly effort: string }
  /** No check showed up on a revision that waits for CI. */
  | { readonly type: 'checksOverdue'; readonly workItemID: string }
  /** A new day has begun, and with it a new budget. */
  | { readonly type: 'dayBegan' };

export type EventBody =
  | SpecsAssumedPlannedEvent
  | ObservedEvent
  | RequestedEvent
  | RunEvent
  | OutcomeEvent
  | TimerEvent
  | StartupFinishedEvent
  | EngineStartedEvent;

/** Everything that ever moves the engine. Recorded before anything follows from it. */
export interface Event {
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  /** Random, so that ids can be derived from it instead of being made by handlers. */
  readonly id: string;
  /** For what was read: the sequence number that was current when the request was sent. */
  readonly readSeq: number | null;
  readonly body: EventBody;
}

/** The command that an event settles, if any. */
export function settledBy(body: EventBody): string | null {
  return 'settles' in body ? body.settles : null;
}

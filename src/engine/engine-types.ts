/** The engine's public interface: what the terminal UI, the command line and programs see. Numbers are GitHub's. */
import type { AgentRole, Run } from '../domain/run.ts';
import type { Revision } from '../domain/revision.ts';
import type { WorkItem } from '../domain/work-item.ts';
import type { RateLimit } from './ports.ts';
import type { CIStatus, EngineQueries } from './query-port.ts';

export interface IssueStatusChangedEvent {
  readonly type: 'issueStatusChanged';
  readonly issueNumber: number;
  readonly title: string;
  /** Null when it is seen for the first time. */
  readonly oldStatus: string | null;
  /** Null when it was closed or is no longer a task. */
  readonly newStatus: string | null;
  /** The full label, or ''. */
  readonly priorityLabel: string;
  readonly createdAt: string;
  readonly isRecovery?: boolean;
  readonly isEngineTransition?: boolean;
}

export interface SpecChangedEvent {
  readonly type: 'specChanged';
  readonly filePath: string;
  readonly frontmatterStatus: string;
  readonly changeType: 'added' | 'modified';
  readonly commitSHA: string;
}

interface AgentEvent {
  readonly agentType: AgentRole;
  /** Implementors and reviewers. */
  readonly issueNumber?: number;
  /** Planners. */
  readonly specPaths?: string[];
  readonly sessionID: string;
  readonly logFilePath?: string;
}

export interface AgentStartedEvent extends AgentEvent {
  readonly type: 'agentStarted';
  readonly branchName?: string;
}

export interface AgentCompletedEvent extends AgentEvent {
  readonly type: 'agentCompleted';
}

export interface AgentFailedEvent extends AgentEvent {
  readonly type: 'agentFailed';
  readonly error: string;
  readonly branchName?: string;
  /** Where its unfinished work is kept in decree's own clone. */
  readonly savedRef?: string;
}

export interface PRLinkedEvent {
  readonly type: 'prLinked';
  readonly issueNumber: number;
  readonly prNumber: number;
  readonly url: string;
  readonly ciStatus: CIStatus | null;
}

export interface CIStatusChangedEvent {
  readonly type: 'ciStatusChanged';
  readonly prNumber: number;
  readonly issueNumber?: number;
  readonly oldCIStatus: CIStatus | null;
  readonly newCIStatus: CIStatus;
}

export type EngineEvent =
  | IssueStatusChangedEvent
  | SpecChangedEvent
  | AgentStartedEvent
  | AgentCompletedEvent
  | AgentFailedEvent
  | PRLinkedEvent
  | CIStatusChangedEvent;

export type EngineCommand =
  | { readonly command: 'dispatchImplementor'; readonly issueNumber: number }
  | { readonly command: 'dispatchReviewer'; readonly issueNumber: number }
  | { readonly command: 'cancelAgent'; readonly issueNumber: number }
  | { readonly command: 'cancelPlanner' }
  | { readonly command: 'mergeRevision'; readonly issueNumber: number }
  | { readonly command: 'shutdown' };

export interface StartupResult {
  readonly issueCount: number;
  readonly recoveriesPerformed: number;
}

/** When the next attempt begins by itself, if nobody acts before. */
export interface Retry {
  /** Null: the planner's. */
  readonly workItemID: string | null;
  /** Epoch ms. */
  readonly at: number;
}

/** What the engine knows at one moment. */
export interface EngineSnapshot {
  readonly workItems: readonly WorkItem[];
  readonly revisions: readonly Revision[];
  /** Unfinished runs, waiting ones included. */
  readonly runs: readonly Run[];
  /** The newest finished run of each work item. */
  readonly lastRuns: readonly Run[];
  /** Pauses after a failure, the shortest first. */
  readonly retries: readonly Retry[];
  /** Whether implementors start by themselves. */
  readonly dispatch: 'manual' | 'auto';
  /** Today, in USD. */
  readonly spend: { readonly settledUSD: number; readonly reservedUSD: number; readonly perDayUSD: number };
  readonly rateLimit: RateLimit | null;
  /** What a person should know: troubles with the forge, a budget that is used up. */
  readonly notices: readonly string[];
}

export interface Engine extends EngineQueries {
  /**
   * Resolves after recovery and the first look at issues, specs and pull requests; agents may start from then on.
   * Rejects if the journal or the forge cannot be used. Subscribe with `on` before calling it.
   */
  start(): Promise<StartupResult>;
  /** Calls back for every event, in order; returns a function that ends it. A handler that throws is logged. */
  on(handler: (event: EngineEvent) => void): () => void;
  /** Takes effect as soon as it is durable. A command that makes no sense is logged and changes nothing. */
  send(command: EngineCommand): void;
  /** Live output, what is kept of it first; null if no agent runs under that session. */
  getAgentStream(sessionID: string): AsyncIterable<string> | null;
  getSnapshot(): EngineSnapshot;
  /** Calls back after every change of the snapshot; returns a function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Resolves when the engine has stopped: null after `stop`, or the reason why it stopped by itself. Never rejects. */
  readonly ended: Promise<Error | null>;
  /** Looks at the forge now. */
  refresh(): Promise<void>;
  /**
   * Graceful: no new work, running agents get `shutdownTimeout` to finish, then they are cancelled; their items are taken
   * up again at the next start. A second call does not wait for agents any longer.
   */
  stop(): Promise<void>;
}

import type { WorkItemStatus } from './work-item.ts';

export const AGENT_ROLES = ['planner', 'implementor', 'reviewer'] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];

/**
 * waiting --> requested --> running --> completed
 *    |            |            |
 *    +------------+------------+------> failed | cancelled
 *
 * `waiting` has reserved its work item but has no slot; `requested` has a slot and is being set up;
 * `running` has a live agent. The last three are final.
 */
export type RunStatus = 'waiting' | 'requested' | 'running' | 'completed' | 'failed' | 'cancelled';

const NEXT: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  waiting: ['requested', 'failed', 'cancelled'],
  requested: ['running', 'failed', 'cancelled'],
  running: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export function canMoveRun(from: RunStatus, to: RunStatus): boolean {
  return NEXT[from].includes(to);
}

export function isFinished(status: RunStatus): boolean {
  return NEXT[status].length === 0;
}

/** What an implementor is told beyond its work item when it is sent back. */
export interface RepairContext {
  /** Paths on which its earlier work collided with somebody else's. */
  readonly conflictPaths: readonly string[];
}

/** Where an implementor's branch starts. */
export type RunStart = { readonly from: 'default-branch' } | { readonly from: 'revision'; readonly headRef: string };

/** What a run is about. */
export type RunSubject =
  | {
      readonly role: 'planner';
      /** Spec path -> blob SHA captured at dispatch: what counts as planned if this run's plan is applied. */
      readonly specs: Readonly<Record<string, string>>;
      /** The commit that was polled. */
      readonly commitSHA: string;
    }
  | {
      readonly role: 'implementor';
      readonly workItemID: string;
      readonly branchName: string;
      readonly start: RunStart;
      readonly repair: RepairContext | null;
    }
  | {
      readonly role: 'reviewer';
      readonly workItemID: string;
      readonly revisionID: string;
      readonly headRef: string;
      /** The commit under review: a verdict on an older head is not applied. */
      readonly headSHA: string;
    };

/** What a finished run used. Null means that the runtime could not tell. */
export interface RunUsage {
  readonly model: string | null;
  readonly turns: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUSD: number | null;
  readonly durationMs: number;
}

/** A process that can be told from a later one with the same id. */
export interface AgentProcess {
  readonly pid: number;
  /** When it began, by the system's own account. */
  readonly begun: string;
}

/** One execution of one agent. Owned by the journal. */
export interface Run {
  readonly sessionID: string;
  readonly subject: RunSubject;
  readonly attempt: number;
  /** Among waiting runs the lowest goes first, then the oldest. */
  readonly rank: number;
  readonly status: RunStatus;
  /** Epoch ms. */
  readonly requestedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly model: string | null;
  /** The work item's status when the run was admitted: a failed start restores it. Null for planners. */
  readonly statusBefore: WorkItemStatus | null;
  readonly logFilePath: string | null;
  /** The agent's process, if it has one of its own: a later engine may have to end it. */
  readonly process?: AgentProcess | null;
  /** Taken from the day's budget while it is under way. */
  readonly reservedUSD: number;
  readonly usage: RunUsage | null;
  /** Why it did not complete. */
  readonly failure: string | null;
  /** Where a run that did not complete left its work, in decree's own clone. */
  readonly savedRef: string | null;
}

/** How long the work of a run that did not complete is kept. */
export const WORK_KEPT_DAYS = 30;

export function workItemOf(subject: RunSubject): string | null {
  return subject.role === 'planner' ? null : subject.workItemID;
}

import type { AgentRole, RepairContext } from './run.ts';

/** The key of the planner's effort; every other effort is a work item's. */
export const PLANNING = 'planning';

/**
 * What one dispatch has cost so far: a dispatch buys a limited number of runs and rounds. Owned by the journal, so
 * that a restart does not start the count anew. It does start anew when a person acts or the work item changes.
 */
export interface Effort {
  /** Failed runs since the count began, by role. */
  readonly failures: Readonly<Record<AgentRole, number>>;
  /** How often a review sent the item back. */
  readonly reviewRounds: number;
  /** How often red CI sent it back, and the head that did it last: one head, one round. */
  readonly ciRounds: number;
  readonly ciRepairedSHA: string | null;
  /** How often a conflict with other work sent it back, and the head that had it last. */
  readonly conflictRounds: number;
  readonly conflictSHA: string | null;
  /** A published head whose reviewer waits for CI, and since when (epoch ms). */
  readonly awaitsCI: { readonly headSHA: string; readonly since: number; readonly isOverdue: boolean } | null;
  /** The head that decree's own reviewer approved. */
  readonly approvedSHA: string | null;
  /** Born of a plan that was given up: waits until a plan is applied. */
  readonly awaitsPlan: boolean;
  /** The item as it was last known: a difference after a restart was made by a person. */
  readonly seen: { readonly status: string; readonly contentDigest: string } | null;
  /** When to try again (epoch ms), and with whom. */
  readonly retry: { readonly role: AgentRole; readonly at: number } | null;
  /** What the next implementor must know about why its predecessor's work did not go through. */
  readonly repair: RepairContext | null;
  /** Cancelled, or out of attempts: nothing starts by itself until a person acts. */
  readonly isHeld: boolean;
}

export const FRESH_EFFORT: Effort = {
  failures: { planner: 0, implementor: 0, reviewer: 0 },
  reviewRounds: 0,
  ciRounds: 0,
  ciRepairedSHA: null,
  conflictRounds: 0,
  conflictSHA: null,
  awaitsCI: null,
  approvedSHA: null,
  awaitsPlan: false,
  seen: null,
  retry: null,
  repair: null,
  isHeld: false,
};

/** A revision without any check after this long has no CI. */
const CHECKS_GRACE_MS = 2 * 60 * 1000;

/** What an effort waits for: its next attempt, or the first check of its revision. */
export interface Due {
  readonly at: number;
  readonly what: 'retry' | 'checks';
}

/** What it waits for next; null if no point in time matters to it. */
export function dueOf({ retry, awaitsCI }: Effort): Due | null {
  const checksAt = awaitsCI === null || awaitsCI.isOverdue ? Infinity : awaitsCI.since + CHECKS_GRACE_MS;
  if (retry !== null && retry.at <= checksAt) return { at: retry.at, what: 'retry' };
  return checksAt === Infinity ? null : { at: checksAt, what: 'checks' };
}

export interface RetryLimits {
  readonly maxAttempts: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Counts one failure: either a retry after a pause that doubles each time, or, after the last attempt, none. */
export function afterFailure(effort: Effort, role: AgentRole, at: number, limits: RetryLimits): Effort {
  if (effort.isHeld) return { ...effort, retry: null };
  const failures = effort.failures[role] + 1;
  const counted = { ...effort, failures: { ...effort.failures, [role]: failures } };
  if (failures >= limits.maxAttempts) return { ...counted, retry: null, isHeld: true };
  const pause = Math.min(limits.firstPauseMs * 2 ** (failures - 1), limits.longestPauseMs);
  return { ...counted, retry: { role, at: at + pause } };
}

/** Every status a work item can have. The first-generation and second-generation specs differ; this is their union. */
export const WORK_ITEM_STATUSES = [
  'pending',
  'ready',
  'unblocked',
  'in-progress',
  'review',
  'approved',
  'closed',
  'needs-changes',
  'needs-refinement',
  'blocked',
] as const;

export type WorkItemStatus = (typeof WORK_ITEM_STATUSES)[number];

export const PRIORITIES = ['high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const COMPLEXITIES = ['simple', 'complex', 'trivial', 'low', 'medium', 'high'] as const;
export type Complexity = (typeof COMPLEXITIES)[number];

/** How a closed work item ended. Only `completed` frees the items that wait for it. */
export type Closure = 'completed' | 'not-planned';

/** One unit of work for one implementor. The forge owns it (on GitHub: an issue). */
export interface WorkItem {
  readonly id: string;
  readonly title: string;
  readonly status: WorkItemStatus;
  readonly priority: Priority | null;
  readonly complexity: Complexity | null;
  readonly blockedBy: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  /** The id of the open revision that says it closes this item. */
  readonly linkedRevision: string | null;
  /** Null while it is open. */
  readonly closedAs: Closure | null;
  /** Open and labelled as a task for decree. Listings hold tracked items only; reading by id returns any. */
  readonly isTracked: boolean;
  /** Changes whenever a person edits title or body; engine-made metadata does not count. */
  readonly contentDigest: string;
}

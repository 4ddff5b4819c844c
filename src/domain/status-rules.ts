import type { WorkItemStatus } from './work-item.ts';

/** Statuses from which an implementor may be started. `pending` also needs its blockers closed. */
const DISPATCHABLE = new Set<WorkItemStatus>(['pending', 'ready', 'unblocked', 'needs-changes', 'in-progress']);

export function isDispatchable(status: WorkItemStatus): boolean {
  return DISPATCHABLE.has(status);
}

/** Statuses from which the engine starts an implementor by itself when `agents.dispatch` is `auto`. */
const SELF_STARTING = new Set<WorkItemStatus>(['ready', 'unblocked', 'needs-changes']);

export function isSelfStarting(status: WorkItemStatus): boolean {
  return SELF_STARTING.has(status);
}

/**
 * The moves that the engine makes itself. People may set any status; the engine only ever makes these.
 *
 *   pending -> ready -> in-progress -> review -> approved -> closed
 *      ^         ^           |           |
 *      |         +-----------+           +-> needs-changes -> in-progress
 *      +--(recovery)---------+           |
 *                            +-----------+-> blocked | needs-refinement
 */
const ENGINE_MOVES: Readonly<Record<WorkItemStatus, readonly WorkItemStatus[]>> = {
  // A person may change the label while an agent is at work: its finished work goes to review all the same. No label at
  // all reads as pending: one that was deleted while a reviewer is at work does not make its verdict void.
  pending: ['ready', 'in-progress', 'review', 'approved', 'needs-changes', 'blocked', 'needs-refinement', 'closed'],
  ready: ['in-progress', 'review', 'pending', 'blocked', 'closed'],
  unblocked: ['in-progress', 'review', 'pending', 'blocked', 'closed'],
  'in-progress': ['review', 'pending', 'ready', 'unblocked', 'needs-changes', 'blocked', 'needs-refinement', 'closed'],
  review: ['approved', 'needs-changes', 'blocked', 'closed'],
  approved: ['needs-changes', 'blocked', 'closed'],
  'needs-changes': ['in-progress', 'review', 'pending', 'blocked', 'closed'],
  'needs-refinement': ['closed'],
  blocked: ['closed'],
  closed: [],
};

export function mayEngineMove(from: WorkItemStatus, to: WorkItemStatus): boolean {
  return ENGINE_MOVES[from].includes(to);
}

import type { PlannedWorkItem, PlannedWorkItemUpdate, PlannerResult } from './agent-result.ts';

/**
 * A planner's result while it is being applied. Its specs count as planned only when nothing is left to apply.
 * Owned by the journal, keyed by the planner's session.
 */
export interface Plan {
  readonly sessionID: string;
  readonly specs: Readonly<Record<string, string>>;
  /** In dependency order. */
  readonly create: readonly PlannedWorkItem[];
  readonly update: readonly PlannedWorkItemUpdate[];
  readonly close: readonly string[];
  /** tempID -> id of the work item that was made for it. */
  readonly created: Readonly<Record<string, string>>;
  readonly updated: readonly string[];
  readonly closed: readonly string[];
}

export type PlanCheck = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly error: string };

/** Orders a plan by its dependencies and refuses, before anything is written, what could not be applied whole. */
export function checkPlan(
  sessionID: string,
  specs: Readonly<Record<string, string>>,
  result: PlannerResult,
  isKnown: (workItemID: string) => boolean,
): PlanCheck {
  const byTempID = new Map(result.create.map((item) => [item.tempID, item]));
  if (byTempID.size !== result.create.length) return refuse('two planned work items have the same tempID');

  for (const { tempID, blockedBy } of result.create) {
    if (isKnown(tempID)) return refuse(`the tempID '${tempID}' is the id of an existing work item`);
    const unknown = blockedBy.find((id) => !byTempID.has(id) && !isKnown(id));
    if (unknown !== undefined)
      return refuse(`'${tempID}' is blocked by '${unknown}', which is neither planned nor known`);
  }
  const strangers = [...result.update.map((u) => u.workItemID), ...result.close].filter((id) => !isKnown(id));
  if (strangers.length > 0) return refuse(`it updates or closes unknown work items: ${strangers.join(', ')}`);

  const order = inDependencyOrder(byTempID);
  if (order === null) return refuse('its work items block each other in a circle');
  const plan = { sessionID, specs, update: result.update, close: result.close, created: {}, updated: [], closed: [] };
  return { ok: true, plan: { ...plan, create: order } };
}

export function isApplied(plan: Plan): boolean {
  return (
    Object.keys(plan.created).length === plan.create.length &&
    plan.updated.length === plan.update.length &&
    plan.closed.length === plan.close.length
  );
}

function refuse(reason: string): PlanCheck {
  return { ok: false, error: `The plan cannot be applied: ${reason}.` };
}

/** Keeps the planner's own order where dependencies leave a choice. Null if there is a cycle. */
function inDependencyOrder(items: ReadonlyMap<string, PlannedWorkItem>): PlannedWorkItem[] | null {
  const order: PlannedWorkItem[] = [];
  const placed = new Set<string>();
  let waiting = [...items.values()];
  while (waiting.length > 0) {
    const free = waiting.filter((item) => item.blockedBy.every((id) => !items.has(id) || placed.has(id)));
    if (free.length === 0) return null;
    for (const item of free) placed.add(item.tempID);
    order.push(...free);
    waiting = waiting.filter((item) => !placed.has(item.tempID));
  }
  return order;
}

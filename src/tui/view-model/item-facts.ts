import { workItemOf } from '../../domain/run.ts';
import type { Run } from '../../domain/run.ts';
import type { Revision } from '../../domain/revision.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import type { EngineSnapshot } from '../../engine/engine-types.ts';

/** What the snapshot says about one work item, put together. */
export interface ItemFacts {
  readonly item: WorkItem;
  readonly revision: Revision | null;
  /** Under way or waiting for a slot. */
  readonly run: Run | null;
  readonly lastRun: Run | null;
  /** When the next attempt begins by itself; null if none is planned. */
  readonly retryAt: number | null;
  readonly openBlockers: readonly string[];
}

/** What the snapshot says about planning. Null where there is no such run. */
export interface PlannerFacts {
  readonly item: null;
  readonly run: Run | null;
  readonly lastRun: Run | null;
  readonly retryAt: number | null;
}

export type Facts = ItemFacts | PlannerFacts;

export const PLANNER_KEY = 'planner';

/** The name of an entry of the list; it stays the same while the entry changes. */
export function keyOf(facts: Facts): string {
  return facts.item === null ? PLANNER_KEY : facts.item.id;
}

export function gatherFacts(snapshot: EngineSnapshot): { items: ItemFacts[]; planner: PlannerFacts } {
  const itemsByID = new Map(snapshot.workItems.map((item) => [item.id, item]));
  const revisionsByID = new Map(snapshot.revisions.map((revision) => [revision.id, revision]));
  const runs = byWorkItem(snapshot.runs);
  const lastRuns = byWorkItem(snapshot.lastRuns);
  const retries = new Map(snapshot.retries.map(({ workItemID, at }) => [workItemID, at]));
  const attemptsOn = (id: string | null) => ({
    run: runs.get(id) ?? null,
    lastRun: lastRuns.get(id) ?? null,
    retryAt: retries.get(id) ?? null,
  });
  const items = snapshot.workItems
    .filter(({ status }) => status !== 'closed')
    .map((item) => ({
      item,
      revision: item.linkedRevision === null ? null : (revisionsByID.get(item.linkedRevision) ?? null),
      ...attemptsOn(item.id),
      openBlockers: item.blockedBy.filter((id) => isOpen(itemsByID.get(id))).sort(compareIDs),
    }));
  return { items, planner: { item: null, ...attemptsOn(null) } };
}

/** Ids are numbers on every forge we know: 9 comes before 10. */
export function compareIDs(a: string, b: string): number {
  return Number(a) - Number(b) || (a < b ? -1 : Number(a > b));
}

/** A blocker that is not in the snapshot is left to the engine: it knows by reading it. */
function isOpen(item: WorkItem | undefined): boolean {
  return item !== undefined && item.status !== 'closed' && item.closedAs !== 'completed';
}

function byWorkItem(runs: readonly Run[]): Map<string | null, Run> {
  return new Map(runs.map((run) => [workItemOf(run.subject), run]));
}

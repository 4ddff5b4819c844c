import { PLANNING } from '../../domain/effort.ts';
import { workItemOf } from '../../domain/run.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import type { WorkProviderReader } from '../ports.ts';
import { unreadBlockers } from '../state-store/blockers.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { effortOf } from '../state-store/engine-state.ts';
import type { PollTarget } from './poll-target.ts';

/**
 * Reads all tracked work items and reports what differs from the store. Listings lag behind writes, so what a
 * listing says about an item that we wrote to, or that it does not mention, is confirmed by reading the item by id.
 */
export async function pollWorkItems(reader: WorkProviderReader, target: PollTarget): Promise<void> {
  const { state, enqueue, enqueueAll } = target;
  const readSeq = state().seq;
  const { seen, missing } = compareWorkItems(state(), await reader.listWorkItems());

  const isUncertain = (item: WorkItem) => state().lastWrites.has(item.id) || isUnexpected(state(), item);
  await enqueueAll(
    seen.filter((item) => !isUncertain(item)).map((item) => ({ type: 'workItemSeen', item })),
    readSeq,
  );
  for (const item of seen.filter(isUncertain)) await confirm(reader, item.id, target);
  for (const id of missing) await confirm(reader, id, target);
  for (const id of unreadBlockers(state())) {
    const blocker = await reader.getWorkItem(id);
    const closedAs = blocker?.closedAs ?? null;
    if (state().closures.get(id) !== (closedAs ?? 'open'))
      await enqueue({ type: 'blockerRead', workItemID: id, closedAs });
  }
}

/** A look at one item whose lane has waited for long: polls are not believed meanwhile. */
export async function reportIfGone(reader: WorkProviderReader, id: string | null, target: PollTarget): Promise<void> {
  if (id === null || !target.state().workItems.has(id)) return;
  const item = await reader.getWorkItem(id);
  if (item?.isTracked === true) return;
  await target.enqueue({ type: 'workItemGone', workItemID: id, closedAs: item?.closedAs ?? null });
}

/** What a listing says that the store does not: new or different items, and items that it does not mention. */
function compareWorkItems(state: EngineState, listed: readonly WorkItem[]): { seen: WorkItem[]; missing: string[] } {
  const ids = new Set(listed.map((item) => item.id));
  return {
    seen: listed.filter((item) => !isSame(state.workItems.get(item.id), item)),
    missing: concerning(state)
      .filter((id) => !ids.has(id) && !state.leaving.has(id))
      .sort(),
  };
}

/**
 * The items that the engine knows, or at a start has to do with: a list that moves while its pages are read can skip one,
 * and what is in the journal for it must not be lost.
 */
function concerning(state: EngineState): string[] {
  const runs = [...state.runs.values()].flatMap(({ subject }) => workItemOf(subject) ?? []);
  const others = [...state.lanes.keys(), ...state.efforts.keys()].filter((id) => id !== PLANNING);
  return [...new Set([...state.workItems.keys(), ...runs, ...others])];
}

/** First seen after a restart, and not as we left it: a person did that, or the listing lags behind our last write. */
function isUnexpected(state: EngineState, item: WorkItem): boolean {
  const { seen } = effortOf(state, item.id);
  if (seen === null || state.workItems.has(item.id)) return false;
  return seen.status !== item.status || seen.contentDigest !== item.contentDigest;
}

async function confirm(reader: WorkProviderReader, id: string, { state, enqueue }: PollTarget): Promise<void> {
  const readSeq = state().seq;
  const item = await reader.getWorkItem(id);
  if (item === null || !item.isTracked) {
    if (!state().workItems.has(id)) return;
    await enqueue({ type: 'workItemGone', workItemID: id, closedAs: item?.closedAs ?? null }, readSeq);
  } else if (!isSame(state().workItems.get(id), item)) {
    await enqueue({ type: 'workItemSeen', item }, readSeq);
  }
}

/** The link to a revision is not compared: the store derives it from the revisions. */
function isSame(known: WorkItem | undefined, item: WorkItem): boolean {
  return (
    known !== undefined &&
    known.status === item.status &&
    known.title === item.title &&
    known.priority === item.priority &&
    known.complexity === item.complexity &&
    known.contentDigest === item.contentDigest &&
    known.blockedBy.join() === item.blockedBy.join()
  );
}

import type { RuntimeAdapterDeps } from '../types.ts';
import { oneLine, RANKS, type Piece } from './prompt-document.ts';

/** The work item that a run is about: its text, then its status. */
export async function workItemPieces(workItemID: string, deps: RuntimeAdapterDeps): Promise<Piece[]> {
  const item = deps.getState().workItems.get(workItemID);
  if (item === undefined) {
    throw new Error(`No prompt can be made for work item ${workItemID}: the engine knows no such item.`);
  }
  const body = await deps.workItemReader.getWorkItemBody(workItemID);
  return [
    { own: `## Work Item #${item.id} — ${oneLine(item.title)}` },
    { outside: body, rank: RANKS.task },
    { own: `### Status\n${item.status}` },
  ];
}

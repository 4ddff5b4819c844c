import { PLANNING_LANE } from '../../domain/command.ts';
import type { EventBody } from '../../domain/event.ts';
import type { EngineState } from './engine-state.ts';

/**
 * Whether something that was read is too old to be believed: the item's lane is busy with our own writes, or the
 * read began before our last write to it. Such a reading is dropped, and the item is read again by id.
 */
export function isStaleReading(state: EngineState, body: EventBody, readSeq: number): boolean {
  switch (body.type) {
    case 'workItemSeen':
      // While a plan is applied, an unknown item may be one whose creation we have not heard of yet.
      if (!state.workItems.has(body.item.id) && state.lanes.has(PLANNING_LANE)) return true;
      return isWrittenSince(state, body.item.id, readSeq);
    case 'workItemGone':
      return isWrittenSince(state, body.workItemID, readSeq);
    case 'revisionSeen':
      return body.revision.workItemID !== null && isWrittenSince(state, body.revision.workItemID, readSeq);
    case 'revisionGone': {
      const workItemID = state.revisions.get(body.revisionID)?.workItemID ?? null;
      return workItemID !== null && isWrittenSince(state, workItemID, readSeq);
    }
    default:
      return false;
  }
}

function isWrittenSince(state: EngineState, workItemID: string, readSeq: number): boolean {
  return state.lanes.has(workItemID) || readSeq < (state.lastWrites.get(workItemID) ?? 0);
}

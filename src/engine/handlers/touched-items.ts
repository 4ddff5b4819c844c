import type { WorkItem } from '../../domain/work-item.ts';
import type { HandlerContext } from './handler.ts';

/**
 * The work items whose situation an event may have changed, so that handlers look at these and not at all of them:
 * the item itself and those that wait for it. After the start-up, and after a plan, which holds up everybody: all.
 */
export function touchedItems({ event, before, state }: HandlerContext): WorkItem[] {
  const ids = touchedIDs({ event, before, state });
  return ids.map((id) => state.workItems.get(id)).filter((item) => item !== undefined);
}

function touchedIDs({ event, before, state }: Pick<HandlerContext, 'event' | 'before' | 'state'>): string[] {
  const { body } = event;
  if (body.type === 'startupFinished' || (before.plans.size > 0 && state.plans.size === 0)) {
    return [...state.workItems.keys()].sort((a, b) => Number(a) - Number(b));
  }
  switch (body.type) {
    case 'workItemSeen':
      return [body.item.id];
    case 'workItemGone':
    case 'blockerRead':
      return [...(state.dependents.get(body.workItemID) ?? [])];
    case 'revisionSeen':
      return body.revision.workItemID === null ? [] : [body.revision.workItemID];
    case 'checksOverdue':
      return [body.workItemID];
    case 'runFailed': {
      const subject = before.runs.get(body.sessionID)?.subject;
      return subject === undefined || subject.role === 'planner' ? [] : [subject.workItemID];
    }
    case 'statusWritten':
      return [body.workItemID, ...(state.dependents.get(body.workItemID) ?? [])];
    default:
      return [];
  }
}

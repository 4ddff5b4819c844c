import type { WorkItem } from '../../domain/work-item.ts';
import type { HandlerContext } from './handler.ts';

/**
 * The work items whose situation an event may have changed, so that handlers look at these and not at all of them:
 * the item itself, those that wait for it, those of a plan that is now applied. At the end of the start-up: all.
 */
export function touchedItems({ event, before, state }: HandlerContext): WorkItem[] {
  const ids = touchedIDs({ event, before, state });
  return ids.map((id) => state.workItems.get(id)).filter((item) => item !== undefined);
}

function touchedIDs({ event, before, state }: Pick<HandlerContext, 'event' | 'before' | 'state'>): string[] {
  const { body } = event;
  switch (body.type) {
    case 'workItemSeen':
      return [body.item.id];
    case 'workItemGone':
    case 'blockerRead':
      return [...(state.dependents.get(body.workItemID) ?? [])];
    case 'statusWritten':
      return [body.workItemID, ...(state.dependents.get(body.workItemID) ?? [])];
    case 'workItemCreated':
    case 'workItemUpdated':
    case 'workItemClosed': {
      const plan = before.plans.get(body.sessionID);
      if (plan === undefined || state.plans.has(body.sessionID)) return [];
      const last = body.type === 'workItemCreated' ? [body.item.id] : [];
      return [...Object.values(plan.created), ...plan.updated, ...last];
    }
    case 'startupFinished':
      return [...state.workItems.keys()].sort((a, b) => Number(a) - Number(b));
    default:
      return [];
  }
}

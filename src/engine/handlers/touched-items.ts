import { laneOf } from '../../domain/command.ts';
import type { Event } from '../../domain/event.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import type { EngineState } from '../state-store/engine-state.ts';

/**
 * The work items whose situation an event may have changed: the item itself and those that wait for it. After the
 * start-up, and after a plan, which holds up everybody: all.
 */
export function touchedItems(event: Event, before: EngineState, state: EngineState): WorkItem[] {
  const freed = state.closures.changesSince(before.closures).flatMap(({ key }) => state.dependents.get(key) ?? []);
  const ids = new Set([...touchedIDs(event, before, state), ...freed]);
  return [...ids].map((id) => state.workItems.get(id)).filter((item) => item !== undefined);
}

function touchedIDs(event: Event, before: EngineState, state: EngineState): string[] {
  const { body } = event;
  const isPlanOver = before.plans.size > state.plans.size || before.lastPlannedSHAs !== state.lastPlannedSHAs;
  if (body.type === 'startupFinished' || isPlanOver) {
    return [...state.workItems.keys()].sort((a, b) => Number(a) - Number(b));
  }
  switch (body.type) {
    case 'workItemSeen':
      return [body.item.id];
    case 'revisionSeen':
      return body.revision.workItemID === null ? [] : [body.revision.workItemID];
    case 'revisionGone':
      return body.workItemID === null ? [] : [body.workItemID];
    case 'checksOverdue':
      return [body.workItemID];
    case 'runCompleted':
    case 'runFailed': {
      const subject = before.runs.get(body.sessionID)?.subject;
      return subject === undefined || subject.role === 'planner' ? [] : [subject.workItemID];
    }
    case 'statusWritten':
      return [body.workItemID];
    case 'commandFailed':
    case 'commandSuperseded': {
      const lane = laneOf(body.command);
      return lane === null ? [] : [lane];
    }
    default:
      return [];
  }
}

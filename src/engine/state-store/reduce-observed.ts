import { FRESH_EFFORT, PLANNING } from '../../domain/effort.ts';
import type { Event, ObservedEvent } from '../../domain/event.ts';
import type { Revision } from '../../domain/revision.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import type { EngineState } from './engine-state.ts';
import { effortOf } from './engine-state.ts';
import {
  withEffort,
  withFreshEffort,
  withoutRevision,
  withoutWorkItem,
  withRevision,
  withWorkItem,
} from './state-changes.ts';

/** What was read from the forge. */
export function reduceObserved(state: EngineState, event: Event, body: ObservedEvent): EngineState {
  switch (body.type) {
    case 'workItemSeen': {
      const before = state.workItems.get(body.item.id);
      const next = withWorkItem(state, body.item);
      return isChangedByPerson(before, body.item) ? withFreshEffort(next, body.item.id) : next;
    }
    case 'workItemGone':
      return withoutWorkItem(state, body.workItemID, body.closedAs);
    case 'blockerRead':
      return { ...state, closures: state.closures.set(body.workItemID, body.closedAs ?? 'open') };
    case 'revisionSeen':
      return withMovedHead(withRevision(state, body.revision), event, body.revision);
    case 'revisionGone':
      return withoutRevision(state, body.revisionID);
    case 'specsSeen': {
      let { specs } = state;
      for (const spec of body.changed) specs = specs.set(spec.filePath, spec);
      for (const path of body.gone) specs = specs.delete(path);
      const next = { ...state, specs, commitSHA: body.commitSHA };
      return body.changed.length > 0 ? withEffort(next, PLANNING, FRESH_EFFORT) : next;
    }
  }
}

/** Our own writes are in the store before they can be read: a difference was made by somebody else. */
function isChangedByPerson(before: WorkItem | undefined, item: WorkItem): boolean {
  return before !== undefined && (before.contentDigest !== item.contentDigest || before.status !== item.status);
}

/** Somebody pushed to a revision whose reviewer waits for CI: it waits for the new head now. */
function withMovedHead(state: EngineState, event: Event, { workItemID, headSHA }: Revision): EngineState {
  if (workItemID === null) return state;
  const effort = effortOf(state, workItemID);
  if (effort.awaitsCI === null || effort.awaitsCI.headSHA === headSHA) return state;
  return withEffort(state, workItemID, { ...effort, awaitsCI: { headSHA, since: event.at } });
}

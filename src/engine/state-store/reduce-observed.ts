import type { Effort } from '../../domain/effort.ts';
import { FRESH_EFFORT, PLANNING } from '../../domain/effort.ts';
import type { Event, ObservedEvent } from '../../domain/event.ts';
import type { Revision } from '../../domain/revision.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from './engine-state.ts';
import { effortOf } from './engine-state.ts';
import { specsToPlan } from './specs-to-plan.ts';
import {
  withEffort,
  withFreshEffort,
  withoutRevision,
  withoutWorkItem,
  withRevision,
  withWorkItem,
} from './state-changes.ts';

/** What was read from the forge. */
export function reduceObserved(
  state: EngineState,
  event: Event,
  body: ObservedEvent,
  settings: WorkflowSettings,
): EngineState {
  switch (body.type) {
    case 'workItemSeen': {
      const before = state.workItems.get(body.item.id);
      const next = withWorkItem(state, body.item);
      // While a command of ours is open, what it wrote may be what differs.
      if (state.lanes.has(body.item.id)) return next;
      return isChangedByPerson(before ?? effortOf(state, body.item.id).seen, body.item)
        ? withFreshEffort(next, body.item.id)
        : next;
    }
    case 'workItemGone':
      return withoutWorkItem(state, body.workItemID, body.closedAs);
    case 'blockerRead':
      return { ...state, closures: state.closures.set(body.workItemID, body.closedAs ?? 'open') };
    case 'revisionSeen':
      return withReadyDraft(
        withMovedHead(withRevision(state, body.revision), event, body.revision),
        state,
        event,
        body.revision,
        settings,
      );
    case 'revisionGone':
      return withoutRevision(state, body.revisionID);
    case 'specsSeen': {
      let { specs } = state;
      for (const spec of body.changed) specs = specs.set(spec.filePath, spec);
      for (const path of body.gone) specs = specs.delete(path);
      const next = { ...state, specs, commitSHA: body.commitSHA };
      return isNewToPlanner(next) ? withEffort(next, PLANNING, FRESH_EFFORT) : next;
    }
  }
}

/** Our own writes are in the store before they can be read: a difference was made by somebody else. */
function isChangedByPerson(before: Effort['seen'], item: WorkItem): boolean {
  return before !== null && (before.contentDigest !== item.contentDigest || before.status !== item.status);
}

/** Somebody pushed to a revision whose reviewer waits for CI: it waits for the new head now. */
function withMovedHead(state: EngineState, event: Event, { workItemID, headSHA }: Revision): EngineState {
  if (workItemID === null) return state;
  const effort = effortOf(state, workItemID);
  if (effort.awaitsCI === null || effort.awaitsCI.headSHA === headSHA) return state;
  return withEffort(state, workItemID, { ...effort, awaitsCI: { headSHA, since: event.at, isOverdue: false } });
}

/** Somebody made a draft ready: its reviewer waits for CI from now on, if reviewers do. */
function withReadyDraft(
  state: EngineState,
  before: EngineState,
  event: Event,
  { id, workItemID, headSHA, isDraft }: Revision,
  { review }: WorkflowSettings,
): EngineState {
  const isReady = !isDraft && before.revisions.get(id)?.isDraft === true;
  if (workItemID === null || !isReady || review.trigger !== 'ci-success') return state;
  const awaitsCI = { headSHA, since: event.at, isOverdue: false };
  return withEffort(state, workItemID, { ...effortOf(state, workItemID), awaitsCI });
}

/** A restart reads all specs anew; only what the last planner was not given starts its count anew. */
function isNewToPlanner(state: EngineState): boolean {
  const subject = state.lastRuns.get(PLANNING)?.subject;
  const given = subject?.role === 'planner' ? subject.specs : {};
  return Object.entries(specsToPlan(state)).some(([path, sha]) => given[path] !== sha);
}

import type { WorkItem } from '../../domain/work-item.ts';
import type { EngineState } from './engine-state.ts';
import { linkedRevisionOf, unfinishedRunOf } from './engine-state.ts';

/** In progress, and nobody is at work on it. A draft that its agent finished waits for whoever makes it ready. */
export function isStranded(state: EngineState, item: WorkItem): boolean {
  if (item.status !== 'in-progress' || state.lanes.has(item.id) || unfinishedRunOf(state, item.id)) return false;
  const isFinishedDraft =
    state.lastRuns.get(item.id)?.status === 'completed' && linkedRevisionOf(state, item.id)?.isDraft === true;
  return !isFinishedDraft;
}

import type { WorkItem } from '../../domain/work-item.ts';
import type { EngineState } from './engine-state.ts';

/** Only a blocker that was closed as completed is out of the way: then its code is on the default branch. */
export function hasOpenBlockers(state: EngineState, item: WorkItem): boolean {
  return item.blockedBy.some((id) => state.closures.get(id) !== 'completed');
}

/** Blockers of tracked items that are neither tracked nor known to be closed: they must be read by id. */
export function unreadBlockers(state: EngineState): string[] {
  return [...state.dependents.keys()]
    .filter((id) => !state.workItems.has(id) && state.closures.get(id) !== 'completed')
    .sort();
}

import type { RunSubject } from '../../domain/run.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { isWithinBudget } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';

/** Gives free slots to waiting runs: by rank, that is by priority, begun work first; then by age. */
export const startWaitingRuns: Handler = ({ event, state, settings }) => {
  const free = settings.maxConcurrent - state.slotsUsed;
  if (!state.isOpen || free <= 0 || state.waiting.size === 0) return [];
  if (!isWithinBudget(state, event.at, settings.budget)) return [];
  return firstWaiting(state, free)
    .map((sessionID) => state.runs.get(sessionID))
    .filter((run) => run !== undefined)
    .map(({ sessionID, subject, attempt, model }) => {
      return { type: 'startRun', sessionID, subject: upToDate(state, subject), attempt, model };
    });
};

function firstWaiting(state: EngineState, count: number): string[] {
  const first: string[] = [];
  for (const rank of [...state.waiting.keys()].sort()) {
    first.push(...(state.waiting.get(rank) ?? []).slice(0, count - first.length));
    if (first.length === count) break;
  }
  return first;
}

/** Somebody may have pushed while a reviewer waited: it looks at what is there now. */
function upToDate(state: EngineState, subject: RunSubject): RunSubject {
  const revision = subject.role === 'reviewer' ? state.revisions.get(subject.revisionID) : undefined;
  if (subject.role !== 'reviewer' || revision === undefined) return subject;
  return { ...subject, headRef: revision.headRef, headSHA: revision.headSHA };
}

import type { RunSubject } from '../../domain/run.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { isWithinBudget } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';

/** So many more are proposed than there are slots: a run that a policy holds back must not keep others from them. */
const OTHERS = 50;

/** Gives free slots to waiting runs: by rank, that is by priority, begun work first; then by age. */
export const startWaitingRuns: Handler = ({ event, state, settings }) => {
  const free = settings.maxConcurrent - state.slotsUsed;
  if (!state.isOpen || free <= 0 || state.waiting.size === 0) return [];
  if (!isWithinBudget(state, event.at, settings.budget)) return [];
  return state.waiting
    .first(free + OTHERS)
    .map((sessionID) => state.runs.get(sessionID))
    .filter((run) => run !== undefined)
    .map(({ sessionID, subject, attempt, model }) => {
      return { type: 'startRun', sessionID, subject: upToDate(state, subject), attempt, model };
    });
};

/** Somebody may have pushed while a reviewer waited: it looks at what is there now. */
function upToDate(state: EngineState, subject: RunSubject): RunSubject {
  const revision = subject.role === 'reviewer' ? state.revisions.get(subject.revisionID) : undefined;
  if (subject.role !== 'reviewer' || revision === undefined) return subject;
  return { ...subject, headRef: revision.headRef, headSHA: revision.headSHA };
}

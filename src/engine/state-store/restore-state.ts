import type { OpenCommand, OwnedRows } from '../journal-port.ts';
import type { Run } from '../../domain/run.ts';
import { isFinished, workItemOf } from '../../domain/run.ts';
import { PLANNING } from '../../domain/effort.ts';
import type { EngineState } from './engine-state.ts';
import { emptyState } from './engine-state.ts';
import { PersistentMap } from './persistent-map.ts';
import { withDue, withNewRun, withOpenCommand } from './state-changes.ts';
import { WaitingLine } from './waiting-line.ts';

/** The engine's own state as its rows say. What the forge owns is not in there: it is read anew. */
export function restoreState(rows: OwnedRows, openCommands: readonly OpenCommand[]): EngineState {
  let state: EngineState = {
    ...emptyState(),
    seq: rows.lastSeq,
    plans: PersistentMap.from(rows.plans.map((plan) => [plan.sessionID, plan])),
    lastPlannedSHAs: PersistentMap.from(rows.lastPlannedSHAs),
    efforts: PersistentMap.from(rows.efforts),
    timed: rows.efforts.reduce((line, [id, effort]) => withDue(line, id, effort), WaitingLine.empty()),
    spend: PersistentMap.from(rows.spend),
  };
  const byAge = [...rows.runs].sort((a, b) => a.requestedAt - b.requestedAt);
  // An unfinished run is always its item's newest, even if both were asked for in the same millisecond.
  for (const run of byAge) if (isFinished(run.status)) state = withFinishedRun(state, run);
  for (const run of byAge) if (!isFinished(run.status)) state = withNewRun(state, run);
  for (const { key, lane } of openCommands) state = withOpenCommand(state, key, lane === '' ? null : lane);
  return state;
}

function withFinishedRun(state: EngineState, run: Run): EngineState {
  const id = workItemOf(run.subject) ?? PLANNING;
  return {
    ...state,
    lastRuns: state.lastRuns.set(id, run),
    currentRuns: state.currentRuns.set(id, run.sessionID),
  };
}

import { PLANNING, afterFailure } from '../../domain/effort.ts';
import type { Event, RunEvent } from '../../domain/event.ts';
import { checkPlan } from '../../domain/plan.ts';
import type { Run } from '../../domain/run.ts';
import { workItemOf } from '../../domain/run.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from './engine-state.ts';
import { effortOf } from './engine-state.ts';
import { withEffort, withPlan, withRunMoved, withSpend } from './state-changes.ts';

/** What happened to a run. */
export function reduceRun(state: EngineState, event: Event, body: RunEvent, settings: WorkflowSettings): EngineState {
  const run = state.runs.get(body.sessionID);
  if (run === undefined) return state;
  switch (body.type) {
    case 'runStarted': {
      const next = withRunMoved(state, run.sessionID, 'running', {
        startedAt: event.at,
        logFilePath: body.logFilePath,
        process: body.process ?? null,
      });
      return run.subject.role === 'reviewer' ? withoutWaitForCI(next, run.subject.workItemID) : next;
    }
    case 'runFailed': {
      const { error: failure, savedRef, usage } = body;
      const to = body.reason === 'cancelled' ? 'cancelled' : 'failed';
      const failed = withRunMoved(state, run.sessionID, to, { endedAt: event.at, failure, savedRef, usage });
      // An agent that never started cost nothing; one that the engine lost sight of may have cost all it was given.
      const mayHaveCost = run.status === 'running' || (run.status === 'requested' && body.reason === 'lost');
      const paid = withSpend(failed, event.at, usage?.costUSD ?? (mayHaveCost ? run.reservedUSD : 0));
      return body.reason === 'interrupted'
        ? withRunResumed(paid, run, event)
        : withFailureCounted(paid, run, event, body.reason === 'cancelled', settings);
    }
    case 'runCompleted': {
      const ended = { endedAt: event.at, usage: body.usage };
      const paid = withSpend(state, event.at, body.usage?.costUSD ?? run.reservedUSD);
      if (body.conclusion.role !== 'planner' || run.subject.role !== 'planner') {
        return withRunMoved(paid, run.sessionID, 'completed', ended);
      }
      const isKnown = (id: string) => state.workItems.has(id) || state.closures.has(id);
      const check = checkPlan(run.sessionID, run.subject.specs, body.conclusion.plan, isKnown);
      if (check.ok) return withPlan(withRunMoved(paid, run.sessionID, 'completed', ended), check.plan);
      const failed = withRunMoved(paid, run.sessionID, 'failed', { ...ended, failure: check.error });
      return withFailureCounted(failed, run, event, false, settings);
    }
  }
}

/** A cancelled run waits for a person; any other failure is tried again within the limits. */
export function withFailureCounted(
  state: EngineState,
  run: Run,
  event: Event,
  isCancelled: boolean,
  settings: WorkflowSettings,
): EngineState {
  const id = workItemOf(run.subject) ?? PLANNING;
  if (id !== PLANNING && !state.workItems.has(id)) return state;
  const effort = effortOf(state, id);
  if (isCancelled) return withEffort(state, id, { ...effort, retry: null, isHeld: true });
  return withEffort(state, id, afterFailure(effort, run.subject.role, event.at, settings.retry));
}

/** Interrupted by our own shutdown: taken up at the next start, and held against nobody. */
function withRunResumed(state: EngineState, run: Run, event: Event): EngineState {
  const id = workItemOf(run.subject) ?? PLANNING;
  const effort = effortOf(state, id);
  if (effort.isHeld || (id !== PLANNING && !state.workItems.has(id))) return state;
  return withEffort(state, id, { ...effort, retry: { role: run.subject.role, at: event.at } });
}

function withoutWaitForCI(state: EngineState, workItemID: string): EngineState {
  const effort = effortOf(state, workItemID);
  return effort.awaitsCI === null ? state : withEffort(state, workItemID, { ...effort, awaitsCI: null });
}

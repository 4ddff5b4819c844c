import type { Command } from '../../domain/command.ts';
import type { Run } from '../../domain/run.ts';
import { workItemOf } from '../../domain/run.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { effortOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';

/** No item stays in progress without a run. A reviewer's failure never sends its item back to implementation. */
export const recoverItems: Handler = ({ event, before, state }) => {
  const { body } = event;
  switch (body.type) {
    case 'runFailed': {
      const run = before.runs.get(body.sessionID);
      return run === undefined ? [] : afterRun(state, run, body.error, body.savedRef);
    }
    case 'commandFailed':
      if (body.command.type === 'startRun') {
        const run = before.runs.get(body.command.sessionID);
        return run === undefined ? [] : afterRun(state, run, body.failure.message, null);
      }
      return [];
    case 'commandSuperseded':
      // The run was ended while it was being set up; its item may already say that it is in progress.
      return body.command.type === 'startRun' ? abandoned(state, workItemOf(body.command.subject)) : [];
    case 'startupFinished':
      return [...state.workItems.values()]
        .filter(
          (item) => item.status === 'in-progress' && !state.lanes.has(item.id) && !unfinishedRunOf(state, item.id),
        )
        .sort((a, b) => Number(a.id) - Number(b.id))
        .map((item) => ({
          type: 'transitionStatus',
          workItemID: item.id,
          to: 'pending',
          cause: 'recovery',
          comment: null,
        }));
    default:
      return [];
  }
};

function abandoned(state: EngineState, workItemID: string | null): Command[] {
  const item = workItemID === null ? undefined : state.workItems.get(workItemID);
  if (item?.status !== 'in-progress' || unfinishedRunOf(state, item.id)) return [];
  return [{ type: 'transitionStatus', workItemID: item.id, to: 'pending', cause: 'recovery', comment: null }];
}

function afterRun(state: EngineState, run: Run, error: string, savedRef: string | null): Command[] {
  const workItemID = workItemOf(run.subject);
  if (workItemID === null || run.subject.role === 'reviewer') return [];
  const item = state.workItems.get(workItemID);
  if (item === undefined) return [];
  const effort = effortOf(state, workItemID);
  const isOutOfAttempts = effort.isHeld && effort.failures.implementor > 0 && effort.retry === null;
  if (isOutOfAttempts && run.status !== 'waiting') {
    return [
      { type: 'transitionStatus', workItemID, to: 'blocked', cause: 'workflow', comment: gaveUp(run, error, savedRef) },
    ];
  }
  // A failed start restores the old status; a run that was under way leaves its item to be done anew.
  const wasUnderWay = run.status === 'running';
  const to = wasUnderWay ? 'pending' : (run.statusBefore ?? 'pending');
  return [{ type: 'transitionStatus', workItemID, to, cause: 'recovery', comment: null }];
}

function gaveUp(run: Run, error: string, savedRef: string | null): string {
  const kept = savedRef === null ? '' : ` Its unfinished work is kept as \`${savedRef}\` in decree's own clone.`;
  return (
    `The implementor failed ${run.attempt} times and was given up. The last time it said:\n\n` +
    `${error}\n\n${kept} Dispatch the item again when the cause is mended.`
  ).trim();
}

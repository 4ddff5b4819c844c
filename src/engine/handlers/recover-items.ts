import type { Command } from '../../domain/command.ts';
import type { RunEvent } from '../../domain/event.ts';
import type { Run } from '../../domain/run.ts';
import { workItemOf } from '../../domain/run.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { effortOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import { isStranded } from '../state-store/stranded.ts';
import type { Handler } from './handler.ts';
import { HOW_TO_GO_ON } from './how-to-go-on.ts';

/** No item stays in progress without a run. A reviewer's failure never sends its item back to implementation. */
export const recoverItems: Handler = ({ event, before, state }) => {
  const { body } = event;
  switch (body.type) {
    case 'runFailed': {
      const run = before.runs.get(body.sessionID);
      return run === undefined ? [] : afterRun(before, state, run, body);
    }
    case 'commandFailed': {
      const run = body.command.type === 'startRun' ? before.runs.get(body.command.sessionID) : undefined;
      return run === undefined ? [] : afterRun(before, state, run, { error: body.failure.message, savedRef: null });
    }
    case 'commandSuperseded':
      // The run was ended while it was being set up; its item may already say that it is in progress.
      return body.command.type === 'startRun' ? abandoned(state, workItemOf(body.command.subject)) : [];
    case 'workItemSeen':
      // Back on the list: reopened, or its label was put back. Its run was ended when it left.
      return before.workItems.has(body.item.id) || !state.isOpen ? [] : stranded(state, [body.item.id]);
    case 'startupFinished':
      return stranded(state, [...state.workItems.keys()]);
    default:
      return [];
  }
};

function stranded(state: EngineState, ids: readonly string[]): Command[] {
  return ids
    .flatMap((id) => state.workItems.get(id) ?? [])
    .filter((item) => isStranded(state, item))
    .sort((a, b) => Number(a.id) - Number(b.id))
    .map(({ id }) => ({ type: 'transitionStatus', workItemID: id, to: 'pending', cause: 'recovery', comment: null }));
}

function abandoned(state: EngineState, workItemID: string | null): Command[] {
  const item = workItemID === null ? undefined : state.workItems.get(workItemID);
  if (item?.status !== 'in-progress' || unfinishedRunOf(state, item.id)) return [];
  const to = state.lastRuns.get(item.id)?.statusBefore ?? 'pending';
  return [{ type: 'transitionStatus', workItemID: item.id, to, cause: 'recovery', comment: null }];
}

type Ending = Pick<Extract<RunEvent, { type: 'runFailed' }>, 'error' | 'savedRef'>;

function afterRun(before: EngineState, state: EngineState, run: Run, ending: Ending): Command[] {
  const workItemID = workItemOf(run.subject);
  if (workItemID === null || run.subject.role === 'reviewer' || !state.workItems.has(workItemID)) return [];
  const effort = effortOf(state, workItemID);
  // What a person cancelled is held too, but did not fail.
  const hasFailed = effort.failures.implementor > effortOf(before, workItemID).failures.implementor;
  if (effort.isHeld && hasFailed) {
    const comment = gaveUp(run, ending);
    return [{ type: 'transitionStatus', workItemID, to: 'blocked', cause: 'workflow', comment }];
  }
  // A failed start restores the old status; a run that was under way leaves its item to be done anew.
  const to = run.status === 'running' ? 'pending' : (run.statusBefore ?? 'pending');
  return [{ type: 'transitionStatus', workItemID, to, cause: 'recovery', comment: null }];
}

function gaveUp(run: Run, { error, savedRef }: Ending): string {
  const kept = savedRef === null ? '' : ` Its unfinished work is kept as \`${savedRef}\` in decree's own clone.`;
  return (
    `The implementor failed ${run.attempt} times and was given up. The last time it said:\n\n` +
    `${error}\n\n${kept} ${HOW_TO_GO_ON}`
  ).trim();
}

import type { Run } from '../../domain/run.ts';
import { unfinishedRunOf } from '../state-store/engine-state.ts';
import { whyNotStart } from '../state-store/why-not-start.ts';
import type { Handler, HandlerContext } from './handler.ts';

/** A run that waits for a slot and may no longer start gives way to those that may. */
export const dropWaitingRuns: Handler = (context) => {
  const { state } = context;
  return waitingRuns(context).flatMap((run) => {
    const reason = whyNotStart(state, run.sessionID, run.subject);
    return reason === null ? [] : [{ type: 'cancelRun', sessionID: run.sessionID, reason }];
  });
};

function waitingRuns(context: HandlerContext): Run[] {
  const { event, state } = context;
  // Before all is read, a revision that nobody has seen yet would count as gone.
  if (!state.isOpen) return [];
  // Items may have disappeared while no engine was running: then nothing touches them any more.
  const runs =
    event.body.type === 'startupFinished'
      ? [...state.waiting].sort().map((sessionID) => state.runs.get(sessionID))
      : context.touched.map((item) => unfinishedRunOf(state, item.id));
  return runs.filter((run) => run !== undefined).filter((run) => run.status === 'waiting');
}

import { unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';

/** An item that was closed or is no longer ours: its agent has nothing left to do. */
export const stopRunsOfGoneItems: Handler = ({ event, state }) => {
  const { body } = event;
  if (body.type !== 'workItemGone') return [];
  const run = unfinishedRunOf(state, body.workItemID);
  return run === undefined
    ? []
    : [{ type: 'cancelRun', sessionID: run.sessionID, reason: 'the work item was closed or is no longer tracked' }];
};

import { unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';

/** An item that was closed or is no longer ours: its agent has nothing left to do. */
export const stopRunsOfGoneItems: Handler = ({ before, state }) =>
  state.leaving
    .changesSince(before.leaving)
    .filter(({ after }) => after !== undefined)
    .map(({ key }) => unfinishedRunOf(state, key))
    .filter((run) => run !== undefined)
    .map(({ sessionID }) => ({ type: 'cancelRun', sessionID, reason: 'the work item is closed or no longer tracked' }));

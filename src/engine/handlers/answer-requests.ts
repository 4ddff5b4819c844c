import { PLANNING } from '../../domain/effort.ts';
import { linkedRevisionOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';
import { proposeImplementor, proposeReviewer } from './run-proposals.ts';

/** What a person asked for. A request that makes no sense (any more) proposes nothing, or is refused by a guard. */
export const answerRequests: Handler = (context) => {
  const { state, event } = context;
  const { body } = event;
  switch (body.type) {
    case 'implementationRequested': {
      const item = state.workItems.get(body.workItemID);
      // While our own writes are on their way, its status says nothing: an earlier run's result is being applied.
      return item === undefined || state.lanes.has(item.id) ? [] : [proposeImplementor(context, item)];
    }
    case 'reviewRequested': {
      const item = state.workItems.get(body.workItemID);
      // The same: a verdict may be on its way, and a newer run would make it void.
      const isFree = item?.status === 'review' && !state.lanes.has(item.id);
      const reviewer = isFree ? proposeReviewer(context, item.id) : null;
      return reviewer === null ? [] : [reviewer];
    }
    case 'cancelRequested':
    case 'plannerCancelRequested': {
      const run = unfinishedRunOf(state, body.type === 'cancelRequested' ? body.workItemID : PLANNING);
      return run === undefined
        ? []
        : [{ type: 'cancelRun', sessionID: run.sessionID, reason: 'cancelled by a person' }];
    }
    case 'mergeRequested': {
      const revision = linkedRevisionOf(state, body.workItemID);
      if (revision === undefined) return [];
      const { id: revisionID, headSHA } = revision;
      return [{ type: 'mergeRevision', workItemID: body.workItemID, revisionID, headSHA }];
    }
    default:
      return [];
  }
};

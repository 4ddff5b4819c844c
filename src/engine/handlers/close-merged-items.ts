import type { Handler } from './handler.ts';

/** A merged revision ends its work item, also where the forge did not close it by itself. */
export const closeMergedItems: Handler = ({ event, state }) => {
  const { body } = event;
  if (body.type !== 'revisionGone' || body.state !== 'merged') return [];
  const { workItemID } = body;
  if (workItemID === null || !state.workItems.has(workItemID)) return [];
  return [{ type: 'transitionStatus', workItemID, to: 'closed', cause: 'workflow', comment: null }];
};

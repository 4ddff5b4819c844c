import { PLANNING } from '../../domain/effort.ts';
import type { Handler } from './handler.ts';
import { proposeImplementor, proposeReviewer } from './run-proposals.ts';

/** A pause is over: the item's next attempt. Planning is taken up again by its own handler. */
export const retryRuns: Handler = (context) => {
  const { event, before, state } = context;
  const { body } = event;
  if (body.type !== 'retryDue' || body.effort === PLANNING) return [];
  const item = state.workItems.get(body.effort);
  const retry = before.efforts.get(body.effort)?.retry ?? null;
  if (item === undefined || retry === null) return [];
  const proposal = retry.role === 'reviewer' ? proposeReviewer(context, item.id) : proposeImplementor(context, item);
  return proposal === null ? [] : [proposal];
};

import type { Command } from '../../domain/command.ts';
import type { Handler } from './handler.ts';

/** One command per planned item, in dependency order. Their lane runs them one after the other. */
export const applyPlan: Handler = ({ event, before, state }) => {
  const { body } = event;
  if (body.type !== 'runCompleted' || before.plans.has(body.sessionID)) return [];
  const plan = state.plans.get(body.sessionID);
  if (plan === undefined) return [];
  const { sessionID } = plan;
  return [
    ...plan.create.map((item): Command => ({ type: 'createWorkItem', sessionID, item })),
    ...plan.update.map((update): Command => ({ type: 'updateWorkItem', sessionID, update })),
    ...plan.close.map((workItemID): Command => ({ type: 'closeWorkItem', sessionID, workItemID })),
  ];
};

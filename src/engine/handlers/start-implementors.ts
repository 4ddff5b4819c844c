import { isSelfStarting } from '../../domain/status-rules.ts';
import { effortOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';
import { proposeImplementor } from './run-proposals.ts';

/** With `agents.dispatch: 'auto'` the engine starts what a person would otherwise dispatch. */
export const startImplementors: Handler = (context) => {
  const { state, settings } = context;
  if (settings.dispatch !== 'auto' || !state.isOpen) return [];
  return context.touched
    .filter((item) => {
      const effort = effortOf(state, item.id);
      const isFree = !effort.isHeld && effort.retry === null && !unfinishedRunOf(state, item.id);
      return isFree && isSelfStarting(item.status) && !state.lanes.has(item.id);
    })
    .map((item) => proposeImplementor(context, item));
};

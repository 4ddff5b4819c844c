import type { Handler } from './handler.ts';
import { HOW_TO_GO_ON } from './how-to-go-on.ts';

/** A status that the forge will not have leaves its item where it is, held: somebody has to know. */
export const reportRefusals: Handler = ({ event }) => {
  const { body } = event;
  if (body.type !== 'commandFailed' || body.command.type !== 'transitionStatus') return [];
  // Nobody reads what is said on an item that is not there; the next poll finds that it is gone.
  if (body.failure.kind === 'not-found') return [];
  const { workItemID, to } = body.command;
  const words = `The status of this item could not be set to \`${to}\`: ${body.failure.message}\n\n${HOW_TO_GO_ON}`;
  return [{ type: 'commentOnItem', workItemID, body: words }];
};

import type { Command } from '../../domain/command.ts';
import type { CommandFailure } from '../../domain/event.ts';
import { effortOf } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';
import { HOW_TO_GO_ON } from './how-to-go-on.ts';

/** What becomes of an implementor's result: a revision, or a question to people. */
export const publishResults: Handler = ({ event, before, state, settings }) => {
  const { body } = event;
  if (body.type === 'commandFailed' && body.command.type === 'publishRevision') {
    const { workItemID } = body.command;
    const isWithinRounds = effortOf(state, workItemID).conflictRounds < settings.review.maxRounds;
    return [unpublished(workItemID, body.failure, isWithinRounds)];
  }
  if (body.type !== 'runCompleted' || body.conclusion.role !== 'implementor') return [];
  const run = before.runs.get(body.sessionID);
  // A result whose session is not its item's current run is kept in the journal and goes no further.
  if (run?.subject.role !== 'implementor') return [];
  const { workItemID, branchName } = run.subject;
  const { outcome, summary } = body.conclusion;
  switch (outcome) {
    case 'completed':
      return [{ type: 'publishRevision', workItemID, sessionID: body.sessionID, branchName }];
    case 'blocked':
      return [stopped(workItemID, 'blocked', `The implementor is blocked:\n\n${summary}`)];
    case 'validation-failure':
      return [
        stopped(
          workItemID,
          'needs-refinement',
          `The implementor could not make its work pass its checks:\n\n${summary}`,
        ),
      ];
  }
};

/** A conflict goes back to the implementor, who is told the paths, within the rounds; anything else needs a person. */
function unpublished(workItemID: string, { kind, message }: CommandFailure, isWithinRounds: boolean): Command {
  if (kind === 'conflict' && isWithinRounds) {
    return { type: 'transitionStatus', workItemID, to: 'needs-changes', cause: 'conflict', comment: null };
  }
  return stopped(workItemID, 'blocked', `The work could not be published: ${message}\n\n${HOW_TO_GO_ON}`);
}

function stopped(workItemID: string, to: 'blocked' | 'needs-refinement', comment: string): Command {
  return { type: 'transitionStatus', workItemID, to, cause: 'workflow', comment };
}

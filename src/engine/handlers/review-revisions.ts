import type { AgentReview } from '../../domain/agent-result.ts';
import type { Command } from '../../domain/command.ts';
import type { Revision } from '../../domain/revision.ts';
import { effortOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler, HandlerContext } from './handler.ts';
import { HOW_TO_GO_ON } from './how-to-go-on.ts';
import { proposeReviewer } from './run-proposals.ts';

/** From a published revision to a verdict on the work item. */
export const reviewRevisions: Handler = (context) => {
  const { body } = context.event;
  switch (body.type) {
    case 'revisionPublished':
      return body.revision.isDraft ? [] : reviewPublished(context, body.workItemID);
    case 'revisionSeen':
      return isOutOfDraft(context, body.revision) ? reviewPublished(context, body.revision.workItemID ?? '') : [];
    case 'runCompleted':
      return body.conclusion.role === 'reviewer' ? postVerdict(context, body.sessionID, body.conclusion.review) : [];
    case 'commandFailed':
      return body.command.type === 'postReview' ? [unposted(body.command, body.failure.message)] : [];
    case 'runFailed':
      return givenUp(context, body.sessionID, body.error);
    case 'reviewPosted':
      return body.verdict === 'approve'
        ? [{ type: 'transitionStatus', workItemID: body.workItemID, to: 'approved', cause: 'workflow', comment: null }]
        : [sendBack(context, body.workItemID)];
    default:
      return [];
  }
};

/** Somebody made our draft ready: what would have followed its publication follows now. */
function isOutOfDraft({ before, state }: HandlerContext, { id, workItemID, isDraft }: Revision): boolean {
  if (workItemID === null || isDraft || before.revisions.get(id)?.isDraft !== true) return false;
  return state.workItems.get(workItemID)?.status === 'in-progress' && !unfinishedRunOf(state, workItemID);
}

function reviewPublished(context: HandlerContext, workItemID: string): Command[] {
  const waitsForCI = context.settings.review.trigger === 'ci-success';
  const reviewer = waitsForCI ? null : proposeReviewer(context, workItemID);
  const toReview: Command = { type: 'transitionStatus', workItemID, to: 'review', cause: 'completion', comment: null };
  return reviewer === null ? [toReview] : [toReview, reviewer];
}

/** A verdict on an older head says nothing about the new one: it is reviewed again. */
function postVerdict(context: HandlerContext, sessionID: string, review: AgentReview): Command[] {
  const subject = context.before.runs.get(sessionID)?.subject;
  if (subject?.role !== 'reviewer') return [];
  const { workItemID, revisionID, headSHA } = subject;
  const revision = context.state.revisions.get(revisionID);
  if (revision === undefined) return [{ type: 'commentOnItem', workItemID, body: toldHere(review) }];
  if (revision.headSHA === headSHA) return [{ type: 'postReview', workItemID, sessionID, revisionID }];
  const again = proposeReviewer(context, workItemID);
  return again === null ? [] : [again];
}

/** A verdict that was paid for is not lost without a word, here and below. */
function toldHere({ verdict, summary }: AgentReview): string {
  return (
    `The pull request was closed while it was reviewed. The reviewer's verdict is **${verdict}**:\n\n${summary}\n\n` +
    'To go on, reopen the pull request and ask for another review, or set another status.'
  );
}

function unposted({ workItemID, sessionID }: Extract<Command, { type: 'postReview' }>, message: string): Command {
  const body =
    `The review could not be posted on the pull request: ${message}\n\n\`decree runs ${sessionID}\` shows it. ` +
    'Ask for another review, or go on by hand.';
  return { type: 'commentOnItem', workItemID, body };
}

/** The item stays in review; after the last attempt somebody has to know. */
function givenUp({ before, state }: HandlerContext, sessionID: string, error: string): Command[] {
  const run = before.runs.get(sessionID);
  if (run?.subject.role !== 'reviewer') return [];
  const { workItemID } = run.subject;
  const effort = effortOf(state, workItemID);
  if (!effort.isHeld || effort.failures.reviewer <= effortOf(before, workItemID).failures.reviewer) return [];
  const body = `The reviewer failed ${effort.failures.reviewer} times and was given up. The last time it said:\n\n${error}\n\nAsk for another review, or review it by hand.`;
  return [{ type: 'commentOnItem', workItemID, body }];
}

function sendBack({ state, settings }: HandlerContext, workItemID: string): Command {
  const rounds = effortOf(state, workItemID).reviewRounds;
  if (rounds <= settings.review.maxRounds) {
    return { type: 'transitionStatus', workItemID, to: 'needs-changes', cause: 'workflow', comment: null };
  }
  const comment =
    `The reviewer asked for changes ${rounds} times, which is more than the ${settings.review.maxRounds} rounds allowed. ` +
    `Read its last review on the pull request. ${HOW_TO_GO_ON}`;
  return { type: 'transitionStatus', workItemID, to: 'blocked', cause: 'workflow', comment };
}

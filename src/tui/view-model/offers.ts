import { isDispatchable } from '../../domain/status-rules.ts';
import type { EngineCommand } from '../../engine/engine-types.ts';
import type { Facts, ItemFacts, PlannerFacts } from './item-facts.ts';

/** What a person can ask of the engine about one entry. */
export const ACTIONS = ['dispatch', 'review', 'merge', 'retry', 'cancel'] as const;
export type Action = (typeof ACTIONS)[number];

/** Either what to send (after a question, if there is one), or why it makes no sense now. */
export type Offer =
  | { readonly command: EngineCommand; readonly question: string | null; readonly done: string }
  | { readonly refusal: string };

/** The same conditions as the engine's guards, so that a key that does nothing can say why. */
export function offerOf(action: Action, facts: Facts): Offer {
  if (facts.item === null) return action === 'cancel' ? offerPlannerCancel(facts) : refuse(PLANNER_STARTS);
  switch (action) {
    case 'dispatch':
      return offerDispatch(facts);
    case 'review':
      return offerReview(facts);
    case 'merge':
      return offerMerge(facts);
    case 'retry':
      return offerRetry(facts);
    case 'cancel':
      return offerCancel(facts);
  }
}

export function isOffered(action: Action, facts: Facts): boolean {
  return 'command' in offerOf(action, facts);
}

const PLANNER_STARTS = 'The planner starts by itself when an approved spec is new or changed.';

function offerPlannerCancel({ run, retryAt }: PlannerFacts): Offer {
  const command = { command: 'cancelPlanner' } as const;
  if (run !== null) return { command, question: 'Cancel the planner?', done: 'The planner is cancelled.' };
  if (retryAt === null) return refuse('No planner is at work.');
  return { command, question: 'Plan no more by itself?', done: 'Planning waits for a change of the spec.' };
}

function offerDispatch({ item, run, openBlockers }: ItemFacts): Offer {
  const issueNumber = Number(item.id);
  if (run !== null) return refuse(`#${item.id} has an agent already (${run.subject.role}); x cancels it.`);
  if (item.status === 'review') return refuse(`#${item.id} is in review; v starts a reviewer.`);
  if (item.status === 'approved') return refuse(`#${item.id} is approved; m merges it.`);
  if (!isDispatchable(item.status)) return refuse(`#${item.id} is ${item.status}: ${UNBLOCK}`);
  if (item.status === 'pending' && openBlockers.length > 0) {
    return refuse(`#${item.id} waits for ${openBlockers.map((id) => `#${id}`).join(', ')}.`);
  }
  const command = { command: 'dispatchImplementor', issueNumber } as const;
  return { command, question: null, done: `#${item.id} goes to an implementor.` };
}

/** The way out of the statuses that only a person ends. */
export const UNBLOCK = 'settle it on the forge, then give it the label status:unblocked.';

function offerReview({ item, run, revision }: ItemFacts): Offer {
  if (run !== null) return refuse(`#${item.id} has an agent already (${run.subject.role}); x cancels it.`);
  if (revision === null) return refuse(`#${item.id} has no open pull request to review.`);
  if (item.status !== 'review') return refuse(`#${item.id} is ${item.status}, not in review.`);
  if (revision.isDraft) return refuse(`Pull request #${revision.id} is a draft: mark it ready for review first.`);
  const command = { command: 'dispatchReviewer', issueNumber: Number(item.id) } as const;
  return { command, question: null, done: `#${item.id} goes to a reviewer.` };
}

function offerMerge({ item, revision }: ItemFacts): Offer {
  if (revision === null) return refuse(`#${item.id} has no open pull request to merge.`);
  if (item.status !== 'approved') return refuse(`#${item.id} is ${item.status}: only approved items are merged here.`);
  const { pipeline } = revision;
  if (pipeline?.status !== 'success' && pipeline?.checkCount !== 0) {
    const state = { failure: 'is red', pending: 'has not finished' }[pipeline?.status ?? 'pending'];
    return refuse(`CI of pull request #${revision.id} ${pipeline === null ? 'is not known' : state}: not merged.`);
  }
  const command = { command: 'mergeRevision', issueNumber: Number(item.id) } as const;
  const question = `Merge pull request #${revision.id} of #${item.id}?`;
  return { command, question, done: `Pull request #${revision.id} is being merged.` };
}

function offerRetry(facts: ItemFacts): Offer {
  const { item, lastRun, run } = facts;
  if (run !== null) return refuse(`#${item.id} has an agent at work; x cancels it.`);
  if (lastRun?.status !== 'failed' && lastRun?.status !== 'cancelled') return refuse(`Nothing failed on #${item.id}.`);
  return item.status === 'review' ? offerReview(facts) : offerDispatch(facts);
}

function offerCancel({ item, run, retryAt }: ItemFacts): Offer {
  const command = { command: 'cancelAgent', issueNumber: Number(item.id) } as const;
  if (run === null) {
    if (retryAt === null) return refuse(`No agent is at work on #${item.id}.`);
    return { command, question: `Try #${item.id} no more by itself?`, done: `#${item.id} waits for you.` };
  }
  const question = `Cancel the ${run.subject.role} of #${item.id}? What it has done is kept.`;
  return { command, question, done: `The ${run.subject.role} of #${item.id} is cancelled.` };
}

function refuse(refusal: string): Offer {
  return { refusal };
}

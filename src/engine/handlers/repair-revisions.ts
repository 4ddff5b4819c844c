import type { Command } from '../../domain/command.ts';
import type { Effort } from '../../domain/effort.ts';
import type { Revision } from '../../domain/revision.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import type { WorkflowSettings } from '../settings.ts';
import { effortOf, linkedRevisionOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler } from './handler.ts';
import { HOW_TO_GO_ON } from './how-to-go-on.ts';

/**
 * A revision in review, or approved, that cannot be merged as it is goes back to its implementor: because of a conflict
 * with other work, or because CI is red and `ci.autoFix` is on. One head is sent back once; rounds are limited.
 */
export const repairRevisions: Handler = (context) => {
  const { state, settings } = context;
  if (!state.isOpen) return [];
  return context.touched.flatMap((item) => {
    if (item.status !== 'review' && item.status !== 'approved') return [];
    const revision = linkedRevisionOf(state, item.id);
    if (revision === undefined || state.lanes.has(item.id) || unfinishedRunOf(state, item.id)) return [];
    const effort = effortOf(state, item.id);
    const repair = effort.isHeld ? null : repairOf(item, revision, effort, settings);
    return repair === null ? [] : [repair];
  });
};

function repairOf(
  item: WorkItem,
  revision: Revision,
  effort: Effort,
  { ci, review }: WorkflowSettings,
): Command | null {
  if (revision.isMergeable === false && effort.conflictSHA !== revision.headSHA) {
    return effort.conflictRounds < review.maxRounds
      ? sendBack(item, 'conflict')
      : giveUp(item, `conflicts with the default branch for the ${effort.conflictRounds + 1}. time`);
  }
  const isRed = revision.pipeline?.status === 'failure';
  if (isRed && ci.autoFix && effort.ciRepairedSHA !== revision.headSHA) {
    return effort.ciRounds < ci.maxRounds
      ? sendBack(item, 'red-ci')
      : giveUp(item, `fails its checks after ${effort.ciRounds} rounds of repair`);
  }
  return null;
}

function sendBack({ id: workItemID }: WorkItem, cause: 'red-ci' | 'conflict'): Command {
  return { type: 'transitionStatus', workItemID, to: 'needs-changes', cause, comment: null };
}

function giveUp({ id: workItemID }: WorkItem, what: string): Command {
  const comment = `The pull request ${what}. ${HOW_TO_GO_ON}`;
  return { type: 'transitionStatus', workItemID, to: 'blocked', cause: 'workflow', comment };
}

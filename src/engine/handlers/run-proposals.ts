import type { Command } from '../../domain/command.ts';
import type { RunStart } from '../../domain/run.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import { effortOf, linkedRevisionOf } from '../state-store/engine-state.ts';
import type { HandlerContext } from './handler.ts';

/** An implementor for an item: on its open revision's branch if there is one, else on a new branch. */
export function proposeImplementor(context: HandlerContext, item: WorkItem): Command {
  const { state, event, settings } = context;
  const revision = linkedRevisionOf(state, item.id);
  const start: RunStart = revision ? { from: 'revision', headRef: revision.headRef } : { from: 'default-branch' };
  const branchName = revision?.headRef ?? `issue-${item.id}-${event.at}`;
  const effort = effortOf(state, item.id);
  return {
    type: 'startRun',
    sessionID: context.newSessionID(),
    subject: { role: 'implementor', workItemID: item.id, branchName, start, repair: effort.repair },
    attempt: effort.failures.implementor + 1,
    model: item.complexity === null ? null : (settings.modelByComplexity[item.complexity] ?? null),
  };
}

/** A reviewer for an item's open revision; null if there is none or it is a draft. */
export function proposeReviewer(context: HandlerContext, workItemID: string): Command | null {
  const { state } = context;
  const revision = linkedRevisionOf(state, workItemID);
  if (revision === undefined || revision.isDraft) return null;
  const { id: revisionID, headRef, headSHA } = revision;
  return {
    type: 'startRun',
    sessionID: context.newSessionID(),
    subject: { role: 'reviewer', workItemID, revisionID, headRef, headSHA },
    attempt: effortOf(state, workItemID).failures.reviewer + 1,
    model: null,
  };
}

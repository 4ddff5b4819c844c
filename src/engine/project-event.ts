import type { Event } from '../domain/event.ts';
import { PLANNING } from '../domain/effort.ts';
import type { Revision } from '../domain/revision.ts';
import type { Run } from '../domain/run.ts';
import type { WorkItem } from '../domain/work-item.ts';
import type { CIStatusChangedEvent, EngineEvent, IssueStatusChangedEvent, PRLinkedEvent } from './engine-types.ts';
import type { Change } from './state-store/persistent-map.ts';
import type { EngineState } from './state-store/engine-state.ts';

/**
 * What the public hears of an event: derived from what it changed. Agents come first, so that the end of a run is
 * told before the removal of its item.
 */
export function projectEvent(event: Event, before: EngineState, after: EngineState): EngineEvent[] {
  return [
    ...projectSpecs(event, before),
    ...projectRun(event, before, after),
    ...after.workItems
      .changesSince(before.workItems)
      .sort(byKey)
      .flatMap((change) => [...projectItem(event, change), ...projectLink(change, after)]),
    ...after.revisions
      .changesSince(before.revisions)
      .sort(byKey)
      .flatMap((change) => projectRevision(change, after)),
  ];
}

function projectItem({ body }: Event, { before, after }: Change<WorkItem>): IssueStatusChangedEvent[] {
  const item = after ?? before;
  if (item === undefined || before?.status === after?.status) return [];
  const cause = body.type === 'statusWritten' ? body.cause : 'workflow';
  return [
    {
      type: 'issueStatusChanged',
      issueNumber: Number(item.id),
      title: item.title,
      oldStatus: before?.status ?? null,
      newStatus: after?.status ?? null,
      priorityLabel: item.priority === null ? '' : `priority:${item.priority}`,
      createdAt: item.createdAt,
      ...(cause === 'recovery' ? { isRecovery: true } : {}),
      ...(cause === 'completion' ? { isEngineTransition: true } : {}),
    },
  ];
}

function projectSpecs({ body }: Event, before: EngineState): EngineEvent[] {
  if (body.type !== 'specsSeen') return [];
  return body.changed.map(({ filePath, frontmatterStatus }) => ({
    type: 'specChanged',
    filePath,
    frontmatterStatus,
    changeType: before.specs.has(filePath) ? 'modified' : 'added',
    commitSHA: body.commitSHA,
  }));
}

function projectRun({ body }: Event, before: EngineState, after: EngineState): EngineEvent[] {
  switch (body.type) {
    case 'runStarted': {
      const run = after.runs.get(body.sessionID);
      return run ? [{ type: 'agentStarted', ...about(run), ...branch(run) }] : [];
    }
    case 'runCompleted': {
      const run = before.runs.get(body.sessionID);
      if (run === undefined) return [];
      // A plan that cannot be applied is a failed run, although its agent came to an end.
      const failure = run.subject.role === 'planner' ? (after.lastRuns.get(PLANNING)?.failure ?? null) : null;
      if (failure !== null) return [{ type: 'agentFailed', ...about(run), error: failure }];
      return [{ type: 'agentCompleted', ...about(run) }];
    }
    case 'runFailed': {
      const run = before.runs.get(body.sessionID);
      if (run === undefined) return [];
      const saved = body.savedRef === null ? {} : { savedRef: body.savedRef };
      return [{ type: 'agentFailed', ...about(run), ...branch(run), error: body.error, ...saved }];
    }
    case 'commandFailed': {
      const run = body.command.type === 'startRun' ? before.runs.get(body.command.sessionID) : undefined;
      return run ? [{ type: 'agentFailed', ...about(run), ...branch(run), error: body.failure.message }] : [];
    }
    default:
      return [];
  }
}

/** However it came about: a new pull request of a known item, or a new item of a known pull request. */
function projectLink({ before, after }: Change<WorkItem>, state: EngineState): PRLinkedEvent[] {
  const revision = state.revisions.get(after?.linkedRevision ?? '');
  if (after === undefined || revision === undefined || before?.linkedRevision === after.linkedRevision) return [];
  const { id, url, pipeline } = revision;
  const ciStatus = pipeline?.status ?? null;
  return [{ type: 'prLinked', issueNumber: Number(after.id), prNumber: Number(id), url, ciStatus }];
}

function projectRevision({ before, after }: Change<Revision>, state: EngineState): CIStatusChangedEvent[] {
  const newCIStatus = after?.pipeline?.status ?? null;
  const oldCIStatus = before?.pipeline?.status ?? null;
  if (after === undefined || newCIStatus === null || newCIStatus === oldCIStatus) return [];
  const isTracked = after.workItemID !== null && state.workItems.has(after.workItemID);
  const link = isTracked ? { issueNumber: Number(after.workItemID) } : {};
  return [{ type: 'ciStatusChanged', prNumber: Number(after.id), ...link, oldCIStatus, newCIStatus }];
}

function about({ sessionID, subject, logFilePath }: Run) {
  const of =
    subject.role === 'planner'
      ? { specPaths: Object.keys(subject.specs) }
      : { issueNumber: Number(subject.workItemID) };
  return { agentType: subject.role, sessionID, ...of, ...(logFilePath === null ? {} : { logFilePath }) };
}

function branch({ subject }: Run): { branchName?: string } {
  if (subject.role === 'planner') return {};
  return { branchName: subject.role === 'implementor' ? subject.branchName : subject.headRef };
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return Number(a.key) - Number(b.key) || (a.key < b.key ? -1 : 1);
}

import type { Revision } from '../../domain/revision.ts';
import type { Run } from '../../domain/run.ts';
import { workItemOf } from '../../domain/run.ts';
import type { EngineSnapshot } from '../../engine/engine-types.ts';
import type { EngineStatus } from './protocol.ts';

export interface EngineIdentity {
  readonly pid: number;
  readonly repository: string;
}

/** A snapshot as it goes over the socket. */
export function describeStatus(snapshot: EngineSnapshot, { pid, repository }: EngineIdentity): EngineStatus {
  const revisions = new Map(snapshot.revisions.map((revision) => [revision.id, revision]));
  const runs = new Map(snapshot.runs.map((run) => [workItemOf(run.subject), run]));
  const retries = new Map(snapshot.retries.map(({ workItemID, at }) => [workItemID, at]));
  return {
    pid,
    repository,
    dispatch: snapshot.dispatch,
    items: snapshot.workItems.map((item) => ({
      number: item.id,
      title: item.title,
      status: item.status,
      priority: item.priority,
      pullRequest: item.linkedRevision,
      ci: ciOf(revisions.get(item.linkedRevision ?? '')),
      agent: agentOf(runs.get(item.id)),
      retryAt: retries.get(item.id) ?? null,
    })),
    planningRetryAt: retries.get(null) ?? null,
    runs: snapshot.runs.map((run) => ({
      session: run.sessionID,
      role: run.subject.role,
      subject: subjectOf(run),
      status: run.status,
      since: run.startedAt ?? run.requestedAt,
    })),
    spend: snapshot.spend,
    notices: [...snapshot.notices],
  };
}

/** What a run is about, in a few characters. */
export function subjectOf({ subject }: Pick<Run, 'subject'>): string {
  return subject.role === 'planner' ? Object.keys(subject.specs).join(', ') : `#${subject.workItemID}`;
}

function ciOf(revision: Revision | undefined): string | null {
  return revision?.pipeline?.status ?? null;
}

function agentOf(run: Run | undefined): string | null {
  if (run === undefined) return null;
  return run.status === 'running' ? run.subject.role : `${run.subject.role} (${run.status})`;
}

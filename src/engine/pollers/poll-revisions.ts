import type { Revision } from '../../domain/revision.ts';
import type { RevisionProviderReader } from '../ports.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import type { PollTarget } from './poll-target.ts';

/**
 * Reads all open revisions and reports what differs from the store; one that is missing is confirmed by id. Listings do
 * not say whether a revision can be merged, so after each move of the default branch those that wait for a human are
 * read by id.
 */
export function createRevisionPoll(
  reader: RevisionProviderReader,
  getDefaultHead: () => Promise<string>,
  { state, enqueue }: PollTarget,
): () => Promise<void> {
  let knownHead = '';
  /** Read, but not believed, since a write of our own was on its way: to be read again. */
  let unsettled: ReadonlySet<string> = new Set();

  /** Returns whether the store knows it now. */
  async function confirm(id: string, isHeadSame: boolean): Promise<boolean> {
    const readSeq = state().seq;
    const revision = await reader.getRevision(id);
    if (revision?.state === 'open') return report(revision, readSeq, isHeadSame);
    const workItemID = state().revisions.get(id)?.workItemID ?? revision?.workItemID ?? null;
    await enqueue({ type: 'revisionGone', revisionID: id, state: revision?.state ?? 'closed', workItemID }, readSeq);
    return !state().revisions.has(id);
  }

  async function report(revision: Revision, readSeq: number, isHeadSame: boolean): Promise<boolean> {
    const known = state().revisions.get(revision.id);
    const next = withKnown(known, revision, isHeadSame);
    if (isSame(known, next)) return true;
    await enqueue({ type: 'revisionSeen', revision: next }, readSeq);
    return isSame(state().revisions.get(revision.id), next);
  }

  return async () => {
    const readSeq = state().seq;
    const head = await getDefaultHead();
    const listed = await reader.listRevisions();
    const ids = new Set(listed.map((revision) => revision.id));
    const isHeadSame = head === knownHead;
    for (const revision of listed) await report(revision, readSeq, true);
    const missing = [...state().revisions.keys()].filter((id) => !ids.has(id));
    const unsure = isHeadSame ? unknownMergeability(state()) : waitingRevisions(state());
    const lost = knownHead === '' ? lostRevisions(state()) : [];
    const dropped = new Set<string>();
    for (const id of new Set([...missing, ...unsure, ...lost, ...unsettled])) {
      if (!(await confirm(id, isHeadSame && !unsettled.has(id)))) dropped.add(id);
    }
    unsettled = dropped;
    knownHead = head;
  };
}

/** Revisions whose items are in review or approved: their mergeability matters. */
function waitingRevisions(state: EngineState): string[] {
  return [...state.revisions.values()]
    .filter(({ workItemID }) => {
      const status = workItemID === null ? undefined : state.workItems.get(workItemID)?.status;
      return status === 'review' || status === 'approved';
    })
    .map(({ id }) => id)
    .sort();
}

function unknownMergeability(state: EngineState): string[] {
  return waitingRevisions(state).filter((id) => state.revisions.get(id)?.isMergeable === null);
}

/**
 * Revisions that were merged or closed while no engine was running: their items still say that they wait for them. And
 * those under review: a list that moves while its pages are read can skip one.
 */
function lostRevisions(state: EngineState): string[] {
  const reviewed = [...state.runs.values()].flatMap(({ subject }) =>
    subject.role === 'reviewer' && !state.revisions.has(subject.revisionID) ? [subject.revisionID] : [],
  );
  const awaited = [...state.workItems.values()].flatMap((item) => {
    const subject = state.lastRuns.get(item.id)?.subject;
    const isWaiting = (item.status === 'review' || item.status === 'approved') && item.linkedRevision === null;
    return isWaiting && subject?.role === 'reviewer' ? [subject.revisionID] : [];
  });
  return [...reviewed, ...awaited];
}

/**
 * Unknown is a value, not a change: what could not be read about the same head keeps what is known. Whether it can be
 * merged is known only as long as the default branch stands where it stood.
 */
function withKnown(known: Revision | undefined, revision: Revision, isHeadSame: boolean): Revision {
  if (known === undefined || known.headSHA !== revision.headSHA) return revision;
  return {
    ...revision,
    pipeline: revision.pipeline ?? known.pipeline,
    isMergeable: revision.isMergeable ?? (isHeadSame ? known.isMergeable : null),
  };
}

function isSame(known: Revision | undefined, revision: Revision): boolean {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(revision);
}

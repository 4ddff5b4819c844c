import type { Revision } from '../../domain/revision.ts';
import type { RevisionProviderReader } from '../ports.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import type { PollTarget } from './poll-target.ts';

/** Reads all open revisions and reports what differs from the store; one that is missing is confirmed by id. */
export async function pollRevisions(reader: RevisionProviderReader, { state, enqueue }: PollTarget): Promise<void> {
  const readSeq = state().seq;
  const { seen, missing } = compareRevisions(state(), await reader.listRevisions());
  for (const revision of seen) await enqueue({ type: 'revisionSeen', revision }, readSeq);
  for (const id of missing) {
    const sentAt = state().seq;
    const revision = await reader.getRevision(id);
    if (revision?.state === 'open') continue;
    await enqueue({ type: 'revisionGone', revisionID: id, state: revision?.state ?? 'closed' }, sentAt);
  }
}

export function compareRevisions(
  state: EngineState,
  listed: readonly Revision[],
): { seen: Revision[]; missing: string[] } {
  const ids = new Set(listed.map((revision) => revision.id));
  return {
    seen: listed.map((r) => merged(state.revisions.get(r.id), r)).filter((r) => !isSame(state.revisions.get(r.id), r)),
    missing: [...state.revisions.keys()].filter((id) => !ids.has(id)).sort(),
  };
}

/** Unknown is a value, not a change: a pipeline that could not be read keeps what is known about the same head. */
function merged(known: Revision | undefined, revision: Revision): Revision {
  if (known === undefined || known.headSHA !== revision.headSHA) return revision;
  return {
    ...revision,
    pipeline: revision.pipeline ?? known.pipeline,
    isMergeable: revision.isMergeable ?? known.isMergeable,
  };
}

function isSame(known: Revision | undefined, revision: Revision): boolean {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(revision);
}

import type { RepairContext } from '../../../domain/run.ts';
import type { ImplementorStartParams, RuntimeAdapterDeps } from '../types.ts';
import { RANKS, renderPrompt, type Piece } from './prompt-document.ts';
import { changedFilePieces, failedCheckPieces, knownRevision, reviewHistoryPieces } from './revision-pieces.ts';
import { workItemPieces } from './work-item-pieces.ts';

/**
 * The implementor's prompt: its work item and, if there is a revision already, what it changes, why its CI failed
 * and what reviewers said. Rejects if a read fails.
 */
export async function buildImplementorContext(
  params: ImplementorStartParams,
  deps: RuntimeAdapterDeps,
): Promise<string> {
  const revisionID = deps.getState().workItems.get(params.workItemID)?.linkedRevision ?? null;
  const [workItem, revision] = await Promise.all([
    workItemPieces(params.workItemID, deps),
    revisionID === null ? null : gatherRevision(revisionID, deps),
  ]);
  return renderPrompt([
    ...workItem,
    ...(revision?.changes ?? []),
    ...conflictPieces(params.repair, params.start.from === 'revision'),
    ...(revision?.history ?? []),
  ]);
}

async function gatherRevision(
  revisionID: string,
  deps: RuntimeAdapterDeps,
): Promise<{ changes: Piece[]; history: Piece[] }> {
  const revision = knownRevision(revisionID, deps);
  const hasFailed = revision.pipeline?.status === 'failure';
  const [files, history, checks] = await Promise.all([
    deps.revisionReader.getRevisionFiles(revisionID),
    deps.getReviewHistory(revisionID),
    hasFailed ? deps.revisionReader.getCheckRuns(revisionID) : [],
  ]);
  return {
    changes: [...changedFilePieces(revision, files), ...(hasFailed ? failedCheckPieces(revision, checks) : [])],
    history: reviewHistoryPieces(history),
  };
}

function conflictPieces(repair: RepairContext | null, isRevised: boolean): Piece[] {
  if (repair === null) return [];
  const what = isRevised
    ? 'Earlier work on this item could not be merged, because the same places were changed elsewhere too. The default ' +
      'branch has been merged into your folder, as far as that was possible. Settle what is left so that both changes ' +
      'keep their meaning, then finish the work item.'
    : 'Earlier work on this item could not be merged, because the same places were changed elsewhere too. Start from ' +
      'what the files contain now and make the change fit it.';
  const known: Piece[] = [
    { own: 'Known to collide:' },
    { outside: repair.conflictPaths.join('\n'), rank: RANKS.feedback },
  ];
  return [{ own: '### Conflicts' }, { own: what }, ...(repair.conflictPaths.length > 0 ? known : [])];
}

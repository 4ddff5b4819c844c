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
    ...conflictPieces(params.repair?.conflictPaths ?? []),
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

function conflictPieces(paths: readonly string[]): Piece[] {
  if (paths.length === 0) return [];
  return [
    { own: '### Conflicts' },
    {
      own:
        'Earlier work on this item could not be merged, because these files were changed elsewhere too. ' +
        'Start from what they contain now and make the change fit it:',
    },
    { outside: paths.join('\n'), rank: RANKS.feedback },
  ];
}

import type { ReviewerStartParams, RuntimeAdapterDeps } from '../types.ts';
import { renderPrompt } from './prompt-document.ts';
import { changedFilePieces, knownRevision, reviewHistoryPieces } from './revision-pieces.ts';
import { workItemPieces } from './work-item-pieces.ts';

/** The reviewer's prompt: what was asked for, what was changed, what was said before. Rejects if a read fails. */
export async function buildReviewerContext(params: ReviewerStartParams, deps: RuntimeAdapterDeps): Promise<string> {
  const revision = knownRevision(params.revisionID, deps);
  const [workItem, files, history] = await Promise.all([
    workItemPieces(params.workItemID, deps),
    deps.revisionReader.getRevisionFiles(params.revisionID),
    deps.getReviewHistory(params.revisionID),
  ]);
  return renderPrompt([...workItem, ...changedFilePieces(revision, files), ...reviewHistoryPieces(history)]);
}

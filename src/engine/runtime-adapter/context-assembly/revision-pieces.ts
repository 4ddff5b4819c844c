import type { CheckRun, ReviewHistory, Revision, RevisionFile } from '../../../domain/revision.ts';
import type { RuntimeAdapterDeps } from '../types.ts';
import { newest, oneLine, RANKS, type Piece } from './prompt-document.ts';

export function knownRevision(revisionID: string, deps: RuntimeAdapterDeps): Revision {
  const revision = deps.getState().revisions.get(revisionID);
  if (revision === undefined) {
    throw new Error(`No prompt can be made about revision ${revisionID}: the engine knows no such revision.`);
  }
  return revision;
}

export function changedFilePieces(revision: Revision, files: readonly RevisionFile[]): Piece[] {
  const { kept, note } = newest(files, 1000, 'changed files');
  return [
    { own: `## Revision #${revision.id} — ${oneLine(revision.title)}` },
    { own: '### Changed Files' },
    ...note,
    ...kept.flatMap(({ path, status, patch }): Piece[] => [
      { own: `#### ${oneLine(path)} (${status})` },
      ...(patch === null ? [] : [{ outside: patch, rank: RANKS.changes }]),
    ]),
  ];
}

/** Only for a revision whose CI failed: what failed and the end of what it said. */
export function failedCheckPieces(revision: Revision, checks: readonly CheckRun[]): Piece[] {
  const { reason, url } = revision.pipeline ?? { reason: null, url: null };
  return [
    { own: '### CI Status: FAILURE' },
    { own: `${oneLine(reason ?? 'A check failed')}: ${oneLine(url ?? 'no link')}` },
    ...checks
      .filter(hasFailed)
      .flatMap(({ name, conclusion, output }): Piece[] => [
        { own: `#### ${oneLine(name)} — ${conclusion ?? 'failure'}` },
        { outside: output, rank: RANKS.feedback, limit: 10_000, keep: 'end' },
      ]),
  ];
}

/**
 * What people and decree said about the revision before. Text by anybody without write access stays out: it could
 * carry orders to the agent.
 */
export function reviewHistoryPieces(history: ReviewHistory): Piece[] {
  const reviews = history.reviews.filter(
    ({ isTrusted, state, body }) => isTrusted && state !== 'PENDING' && !(state === 'COMMENTED' && body.trim() === ''),
  );
  const inlineComments = history.inlineComments.filter(({ isTrusted }) => isTrusted);
  const comments = history.comments.filter(({ isTrusted }) => isTrusted);
  return [
    ...remarks('Prior Reviews', 'reviews', reviews, ({ author, state }) => `Review by ${author} — ${state}`),
    ...remarks('Prior Inline Comments', 'inline comments', inlineComments, ({ path, line, author }) =>
      line === null ? `${path} — ${author}` : `${path}:${String(line)} — ${author}`,
    ),
    ...remarks('Prior Comments', 'comments', comments, ({ author }) => `Comment by ${author}`),
  ];
}

function remarks<T extends { readonly body: string }>(
  title: string,
  noun: string,
  all: readonly T[],
  heading: (remark: T) => string,
): Piece[] {
  if (all.length === 0) return [];
  const { kept, note } = newest(all, 200, noun);
  return [
    { own: `### ${title}` },
    ...note,
    ...kept.flatMap((remark): Piece[] => [
      { own: `#### ${oneLine(heading(remark))}` },
      { outside: remark.body, rank: RANKS.feedback },
    ]),
  ];
}

function hasFailed({ status, conclusion }: CheckRun): boolean {
  if (status !== 'completed') return false;
  return conclusion !== 'success' && conclusion !== 'neutral' && conclusion !== 'skipped' && conclusion !== 'stale';
}

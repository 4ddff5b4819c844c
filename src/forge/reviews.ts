import { z } from 'zod';
import { notFound, numberParam, parseBody, selectPage, unprocessable } from './api.ts';
import type { APIRequest, Handler, Selection } from './api.ts';
import { reviewAnswer, reviewCommentAnswer, reviewCommentRow, reviewRow } from './answers/review.ts';
import type { PullState } from './answers/pull.ts';
import { hunkUpTo } from './diff-lines.ts';
import type { FileDiff } from './diff.ts';
import { timestamp } from './forge.ts';
import type { Forge } from './forge.ts';
import { touch } from './issue-changes.ts';
import { bodyText } from './issue-fields.ts';
import { diffBase, requirePull, withHead } from './pulls.ts';

export const listReviews: Handler = (forge, request) => {
  const { number } = requirePull(forge, request);
  const selection: Selection = { from: 'reviews', where: [['number = ?', number]], order: 'id' };
  const { rows, total } = selectPage(forge, request, reviewRow, selection);
  return { status: 200, body: rows.map((row) => reviewAnswer(forge, row)), total };
};

export const listReviewComments: Handler = async (forge, request) => {
  const pull = await withHead(forge, requirePull(forge, request));
  const selection: Selection = { from: 'review_comments', where: [['number = ?', pull.row.number]], order: 'id' };
  const { rows, total } = selectPage(forge, request, reviewCommentRow, selection);
  const body = await Promise.all(
    rows.map(async (row) => {
      const isCurrent = await isSameFile(forge, row.path, row.commit_sha, pull.headSHA);
      return reviewCommentAnswer(forge, row, isCurrent ? pull.headSHA : null);
    }),
  );
  return { status: 200, body, total };
};

export const createReview: Handler = async (forge, request) => {
  const pull = await withHead(forge, requirePull(forge, request));
  const wish = parseBody(reviewSchema, request.body, 'PullRequestReview');
  refuseOwnVerdict(request, pull, wish.event);
  const body = wish.body ?? '';
  if (body === '' && wish.comments.length === 0 && wish.event !== 'APPROVE')
    throw unprocessable('Body can not be blank');
  const commit = await reviewedCommit(forge, pull, wish.commit_id);
  const files = wish.comments.length === 0 ? [] : await forge.git.diff(await diffBase(forge, pull), commit);
  // All of them are looked up before anything is stored.
  const comments = wish.comments.map((comment) => ({ ...comment, hunk: hunkOf(files, comment) }));
  const id = forge.store.transaction(() => {
    const author = request.caller.login;
    const now = timestamp(forge.now());
    const { number } = pull.row;
    const insert =
      'INSERT INTO reviews (number, author, body, state, commit_sha, submitted_at) VALUES (?, ?, ?, ?, ?, ?)';
    const reviewID = forge.store.run(insert, number, author, body, STATES[wish.event], commit, now);
    for (const comment of comments) {
      const fields = [comment.body, comment.path, comment.line, comment.hunk];
      forge.store.run(
        `INSERT INTO review_comments (review_id, number, author, body, path, line, diff_hunk, commit_sha, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        reviewID,
        number,
        author,
        ...fields,
        commit,
        now,
      );
    }
    touch(forge, number);
    return reviewID;
  });
  return { status: 200, body: reviewAnswer(forge, requireReview(forge, pull.row.number, id)) };
};

export const dismissReview: Handler = (forge, request) => {
  const { number } = requirePull(forge, request);
  const review = requireReview(forge, number, numberParam(request, 'review_id'));
  parseBody(z.object({ message: z.string().min(1), event: z.literal('DISMISS').optional() }), request.body, 'Review');
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED') {
    throw unprocessable(`Can not dismiss a ${review.state.toLowerCase()} pull request review`);
  }
  forge.store.run(`UPDATE reviews SET state = 'DISMISSED' WHERE id = ?`, review.id);
  touch(forge, number);
  return { status: 200, body: reviewAnswer(forge, { ...review, state: 'DISMISSED' }) };
};

const STATES = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const;

const reviewSchema = z.object({
  commit_id: z.string().optional(),
  body: bodyText.nullish(),
  // GitHub keeps a review without an event as a draft of its author. Nobody could submit it here.
  event: z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']),
  // Only on one line of the new file.
  comments: z
    .array(
      z.object({
        path: z.string(),
        body: bodyText.min(1),
        line: z.int().positive(),
        side: z.literal('RIGHT').optional(),
      }),
    )
    .default([]),
});

type CommentWish = z.infer<typeof reviewSchema>['comments'][number];

function refuseOwnVerdict(request: APIRequest, { row }: PullState, event: keyof typeof STATES): void {
  if (row.author !== request.caller.login || event === 'COMMENT') return;
  const verdict = event === 'APPROVE' ? 'approve' : 'request changes on';
  throw unprocessable(`Can not ${verdict} your own pull request`);
}

/** The head, or an earlier commit of the pull request. */
async function reviewedCommit(forge: Forge, pull: PullState, wish: string | undefined): Promise<string> {
  if (wish === undefined || wish === pull.headSHA) return pull.headSHA;
  const sha = await forge.git.resolveCommit(wish);
  const isPart = sha !== null && (await forge.git.isAncestor(sha, pull.headSHA));
  if (sha === null || !isPart) throw unprocessable('Commit is not part of the pull request');
  return sha;
}

function hunkOf(files: readonly FileDiff[], { path, line }: CommentWish): string {
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) throw unprocessable('Path could not be resolved');
  const hunk = hunkUpTo(file.patch ?? '', line);
  if (hunk === null) throw unprocessable('Line could not be resolved');
  return hunk;
}

async function isSameFile(forge: Forge, path: string, then: string, now: string): Promise<boolean> {
  if (then === now) return true;
  const [old, current] = await Promise.all([then, now].map((commit) => forge.git.objects.info(`${commit}:${path}`)));
  return old?.sha === current?.sha;
}

function requireReview(forge: Forge, number: number, id: number): z.infer<typeof reviewRow> {
  const review = forge.store.get(reviewRow, 'SELECT * FROM reviews WHERE id = ? AND number = ?', id, number);
  if (review === null) throw notFound();
  return review;
}

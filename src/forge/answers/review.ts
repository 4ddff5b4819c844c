import { z } from 'zod';
import type { Forge, Schemas } from '../forge.ts';
import { associationOf, nodeID, userAnswer } from './user.ts';

export const reviewRow = z.object({
  id: z.number(),
  number: z.number(),
  author: z.string(),
  body: z.string(),
  state: z.enum(['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED', 'DISMISSED']),
  commit_sha: z.string(),
  submitted_at: z.string(),
});

export function reviewAnswer(forge: Forge, row: z.infer<typeof reviewRow>): Schemas['pull-request-review'] {
  const html = `${forge.html}/pull/${row.number}#pullrequestreview-${row.id}`;
  const pull = `${forge.api}/pulls/${row.number}`;
  return {
    id: row.id,
    node_id: nodeID('PRR', row.id),
    user: userAnswer(forge, row.author),
    author_association: associationOf(row.author),
    body: row.body,
    state: row.state,
    html_url: html,
    pull_request_url: pull,
    _links: { html: { href: html }, pull_request: { href: pull } },
    submitted_at: row.submitted_at,
    commit_id: row.commit_sha,
  };
}

export const reviewCommentRow = z.object({
  id: z.number(),
  review_id: z.number(),
  number: z.number(),
  author: z.string(),
  body: z.string(),
  path: z.string(),
  line: z.number(),
  diff_hunk: z.string(),
  commit_sha: z.string(),
  created_at: z.string(),
});

/** `headSHA` is null once the commented file has changed: the comment is outdated and has no line any more. */
export function reviewCommentAnswer(
  forge: Forge,
  row: z.infer<typeof reviewCommentRow>,
  headSHA: string | null,
): Schemas['pull-request-review-comment'] {
  const url = `${forge.api}/pulls/comments/${row.id}`;
  const html = `${forge.html}/pull/${row.number}#discussion_r${row.id}`;
  const pull = `${forge.api}/pulls/${row.number}`;
  return {
    id: row.id,
    node_id: nodeID('PRRC', row.id),
    url,
    html_url: html,
    pull_request_url: pull,
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    pull_request_review_id: row.review_id,
    user: userAnswer(forge, row.author),
    author_association: associationOf(row.author),
    body: row.body,
    path: row.path,
    diff_hunk: row.diff_hunk,
    ...(headSHA === null ? {} : { line: row.line }),
    original_line: row.line,
    side: 'RIGHT',
    subject_type: 'line',
    commit_id: headSHA ?? row.commit_sha,
    original_commit_id: row.commit_sha,
    created_at: row.created_at,
    updated_at: row.created_at,
  };
}

import { z } from 'zod';
import type { Forge, Schemas } from '../forge.ts';
import { issueRow, labelsOf } from './issue.ts';
import { repositoryAnswer } from './repository.ts';
import { associationOf, nodeID, userAnswer } from './user.ts';

export const pullRow = issueRow.extend({
  head_ref: z.string(),
  base_ref: z.string(),
  /** The base's tip when the head was last pushed, or before the merge. */
  base_sha: z.string(),
  /** Where the head stood when the pull request was closed. */
  final_head_sha: z.string().nullable(),
  merged_by: z.string().nullable(),
  merge_commit_sha: z.string().nullable(),
});

export type PullRow = z.infer<typeof pullRow>;

export interface PullState {
  readonly row: PullRow;
  readonly headSHA: string;
}

/** What only the answer to one pull request tells, because it takes git to find out. */
export interface PullDetails {
  readonly mergeable: boolean | null;
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
  readonly reviewComments: number;
}

export function pullAnswers(forge: Forge, pulls: readonly PullState[]): Schemas['pull-request-simple'][] {
  const answer = commonAnswers(forge, pulls);
  return pulls.map(answer);
}

export function pullAnswer(forge: Forge, pull: PullState, details: PullDetails): Schemas['pull-request'] {
  const { row } = pull;
  return {
    ...commonAnswers(forge, [pull])(pull),
    merged: row.merged_at !== null,
    mergeable: details.mergeable,
    rebaseable: details.mergeable,
    mergeable_state: mergeableState(row, details.mergeable),
    merged_by: row.merged_by === null ? null : userAnswer(forge, row.merged_by),
    comments: row.comments,
    review_comments: details.reviewComments,
    maintainer_can_modify: false,
    commits: details.commits,
    additions: details.additions,
    deletions: details.deletions,
    changed_files: details.changedFiles,
  };
}

function mergeableState(row: PullRow, mergeable: boolean | null): string {
  if (mergeable === null) return 'unknown';
  if (!mergeable) return 'dirty';
  return row.draft ? 'draft' : 'clean';
}

/** Looks up once what all the answers share. */
function commonAnswers(forge: Forge, pulls: readonly PullState[]) {
  const labels = labelsOf(
    forge,
    pulls.map(({ row }) => row.number),
  );
  const repository = repositoryAnswer(forge);
  const side = (ref: string, sha: string) => ({
    label: `${forge.identity.owner}:${ref}`,
    ref,
    sha,
    user: repository.owner,
    repo: repository,
  });
  return ({ row, headSHA }: PullState) => ({
    ...pullURLs(forge, row.number, headSHA),
    id: 2_000_000 + row.number,
    node_id: nodeID('PR', row.number),
    number: row.number,
    state: row.state,
    locked: false,
    title: row.title,
    user: userAnswer(forge, row.author),
    author_association: associationOf(row.author),
    body: row.body,
    labels: labels.get(row.number) ?? [],
    milestone: null,
    active_lock_reason: null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    merged_at: row.merged_at,
    merge_commit_sha: row.merge_commit_sha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    head: side(row.head_ref, headSHA),
    base: side(row.base_ref, row.base_sha),
    auto_merge: null,
    draft: row.draft,
  });
}

function pullURLs(forge: Forge, number: number, headSHA: string) {
  const url = `${forge.api}/pulls/${number}`;
  const html = `${forge.html}/pull/${number}`;
  const issue = `${forge.api}/issues/${number}`;
  const urls = {
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${forge.api}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: `${forge.api}/statuses/${headSHA}`,
  };
  return {
    ...urls,
    url,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issue },
      comments: { href: urls.comments_url },
      commits: { href: urls.commits_url },
      statuses: { href: urls.statuses_url },
      review_comments: { href: urls.review_comments_url },
      review_comment: { href: urls.review_comment_url },
    },
  };
}

import type { PipelineResult, Revision, RevisionState } from '../../../domain/revision.ts';
import type { PullRequestData, ReviewData } from '../github-client/answers.ts';
import { matchClosingKeywords, type RepositoryName } from './match-closing-keywords.ts';

/** What a pull request alone does not say. */
export interface RevisionDetails {
  readonly pipeline: PipelineResult | null;
  readonly reviewID: string | null;
  /** Only a single read knows it. */
  readonly isMergeable?: boolean | null | undefined;
}

/** Where links are looked for, and whose text is believed. */
export interface LinkScope extends RepositoryName {
  readonly defaultBranch: string;
  readonly botName: string;
}

export function mapPRToRevision(pr: PullRequestData, scope: LinkScope, details: RevisionDetails): Revision {
  return {
    id: String(pr.number),
    title: pr.title,
    url: pr.html_url,
    headSHA: pr.head.sha,
    headRef: pr.head.ref,
    author: pr.user?.login ?? '',
    body: pr.body ?? '',
    isDraft: pr.draft ?? false,
    state: stateOf(pr),
    workItemID: linkedWorkItems(pr, scope)[0] ?? null,
    pipeline: details.pipeline,
    reviewID: details.reviewID,
    isMergeable: details.isMergeable ?? null,
  };
}

/**
 * The work items that a pull request says it closes. Anybody can open one from a fork and claim an item by its text,
 * so only those of this repository or of the app count; and only those for the default branch, because merging
 * into another branch closes nothing.
 */
function linkedWorkItems(pr: PullRequestData, scope: LinkScope): string[] {
  const isOwn = pr.head.repo?.full_name.toLowerCase() === `${scope.owner}/${scope.repo}`.toLowerCase();
  const isTrusted = isOwn || pr.user?.login === scope.botName;
  if (!isTrusted || pr.base.ref !== scope.defaultBranch) return [];
  return matchClosingKeywords(pr.body ?? '', scope);
}

/** Work item id -> the open revision that closes it; of several the one with the lowest number. */
export function linkRevisions(prs: readonly PullRequestData[], scope: LinkScope): Map<string, string> {
  const links = new Map<string, string>();
  for (const pr of prs.toSorted((a, b) => b.number - a.number)) {
    for (const id of linkedWorkItems(pr, scope)) links.set(id, String(pr.number));
  }
  return links;
}

/** The newest review by the app. GitHub lists reviews in chronological order. */
export function newestReviewBy(botName: string, reviews: readonly ReviewData[]): string | null {
  const review = reviews.findLast(({ user }) => user?.login === botName);
  return review === undefined ? null : String(review.id);
}

function stateOf(pr: PullRequestData): RevisionState {
  if ((pr.merged_at ?? null) !== null) return 'merged';
  return pr.state === 'closed' ? 'closed' : 'open';
}

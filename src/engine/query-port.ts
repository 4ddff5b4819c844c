/**
 * On-demand reading for display: the engine's public query interface. Numbers and names are those of the public types,
 * not of the domain. Nothing is cached for the caller. Methods reject with ProviderError only.
 */
export interface EngineQueries {
  getIssueDetails(issueNumber: number): Promise<IssueDetailsResult>;
  /** The open pull request that closes this issue, the lowest number of several; drafts only if asked for. */
  getPRForIssue(issueNumber: number, options?: { readonly includeDrafts?: boolean }): Promise<PRDetailsResult>;
  getPRFiles(prNumber: number): Promise<PRFileEntry[]>;
  getPRReviews(prNumber: number): Promise<PRReviewsResult>;
  getCIStatus(prNumber: number): Promise<CIStatusResult>;
}

export interface IssueDetailsResult {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: string[];
  /** ISO 8601. */
  readonly createdAt: string;
}

export type PRDetailsResult = {
  readonly number: number;
  readonly title: string;
  readonly changedFilesCount: number;
  readonly ciStatus: CIStatus;
  readonly url: string;
  readonly isDraft: boolean;
  readonly headRefName: string;
} | null;

export type CIStatus = 'pending' | 'success' | 'failure';

export interface PRFileEntry {
  readonly filename: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed' | 'copied' | 'changed' | 'unchanged';
  /** Absent for binary files and diffs over the forge's size limit. */
  readonly patch?: string;
}

export interface PRReview {
  readonly id: number;
  readonly author: string;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING';
  readonly body: string;
}

export interface PRInlineComment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly path: string;
  /** Null for comments whose line no longer exists. */
  readonly line: number | null;
}

/** Both in chronological order. */
export interface PRReviewsResult {
  readonly reviews: PRReview[];
  readonly comments: PRInlineComment[];
}

export interface CICheckRun {
  readonly name: string;
  readonly status: 'queued' | 'in_progress' | 'completed';
  /** Null unless completed. */
  readonly conclusion:
    'success' | 'failure' | 'cancelled' | 'timed_out' | 'action_required' | 'neutral' | 'skipped' | 'stale' | null;
  readonly detailsURL: string;
}

export interface CIStatusResult {
  readonly overall: CIStatus;
  /** Only those that failed, were cancelled or timed out. */
  readonly failedCheckRuns: CICheckRun[];
}

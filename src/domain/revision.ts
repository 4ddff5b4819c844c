export type PipelineStatus = 'pending' | 'success' | 'failure';

/** What CI says about a revision's head commit. */
export interface PipelineResult {
  readonly status: PipelineStatus;
  /** The first failing check; both null unless `status` is `failure`. */
  readonly url: string | null;
  readonly reason: string | null;
  /** How many checks and statuses reported. 0 with `pending` means that no CI has shown up (yet). */
  readonly checkCount: number;
}

export type RevisionState = 'open' | 'merged' | 'closed';

/** A proposed change to the default branch. The forge owns it (on GitHub: a pull request). */
export interface Revision {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly headSHA: string;
  readonly headRef: string;
  readonly author: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly state: RevisionState;
  /** The work item it says it closes; only honoured for revisions of this repository or made by the app. */
  readonly workItemID: string | null;
  /** Null means unknown (CI could not be read), never "no CI". */
  readonly pipeline: PipelineResult | null;
  /** The newest review posted by decree itself. */
  readonly reviewID: string | null;
  /** Null while the forge has not computed it, and in listings. */
  readonly isMergeable: boolean | null;
}

export interface RevisionFile {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed' | 'copied' | 'changed' | 'unchanged';
  /** Null for binary files and diffs over the forge's size limit. */
  readonly patch: string | null;
}

export interface CheckRun {
  readonly name: string;
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion:
    | 'success'
    | 'failure'
    | 'cancelled'
    | 'timed_out'
    | 'action_required'
    | 'neutral'
    | 'skipped'
    | 'stale'
    | 'startup_failure'
    | null;
  readonly detailsURL: string;
  /** The check's own words: summary and text of its output, '' if it gave none. */
  readonly output: string;
}

export interface ReviewSubmission {
  readonly id: string;
  readonly author: string;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING';
  readonly body: string;
  /** Written by the app or by somebody with write access. Other text never enters a prompt. */
  readonly isTrusted: boolean;
}

export interface ReviewInlineComment {
  readonly id: string;
  readonly path: string;
  /** Null for comments whose line no longer exists. */
  readonly line: number | null;
  readonly author: string;
  readonly body: string;
  readonly isTrusted: boolean;
}

/** A remark in the revision's conversation, outside any review. */
export interface RevisionComment {
  readonly id: string;
  readonly author: string;
  readonly body: string;
  readonly isTrusted: boolean;
}

export interface ReviewHistory {
  readonly reviews: readonly ReviewSubmission[];
  readonly inlineComments: readonly ReviewInlineComment[];
  readonly comments: readonly RevisionComment[];
}

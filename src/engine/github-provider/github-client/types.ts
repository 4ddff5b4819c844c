import type { z } from 'zod';
import type { Logger, RateLimit } from '../../ports.ts';
import type * as answers from './answers.ts';

export interface GitHubClientConfig {
  readonly appID: number;
  /** PEM text; the caller reads the file. */
  readonly privateKey: string;
  readonly installationID: number;
  /** The API's root for GitHub Enterprise or the embedded forge; github.com without it. */
  readonly baseURL?: string;
  readonly userAgent?: string;
  readonly logger?: Logger;
  /** How long one request may take. */
  readonly requestTimeoutMs?: number;
}

/** An answer as Octokit gives it, cut down to what is read. */
export interface Answer<T> {
  readonly status: number;
  readonly url: string;
  readonly headers: { readonly link?: string | undefined; readonly location?: string | undefined };
  readonly data: T;
}

type AnswerTo<Schema extends z.ZodType> = Promise<Answer<z.infer<Schema>>>;

// Parameters are type aliases, not interfaces: Octokit's have an index signature, which interfaces lack.

type RepoParams = {
  owner: string;
  repo: string;
};

type PageParams = {
  per_page?: number;
  page?: number;
};

type IssueParams = RepoParams & {
  issue_number: number;
};

type IssuesListParams = RepoParams &
  PageParams & {
    state?: 'open' | 'closed' | 'all';
    /** Comma-separated names, all of which must be present. */
    labels?: string;
    creator?: string;
    sort?: 'created' | 'updated';
    direction?: 'asc' | 'desc';
  };

type IssuesCreateParams = RepoParams & {
  title: string;
  body?: string;
  labels?: string[];
};

export type IssuesUpdateParams = IssueParams & {
  title?: string;
  body?: string;
  labels?: string[];
  state?: 'open' | 'closed';
  state_reason?: 'completed' | 'not_planned' | 'reopened';
};

type LabelCreateParams = RepoParams & {
  name: string;
  /** Six hexadecimal digits. */
  color?: string;
  description?: string;
};

type PullParams = RepoParams & {
  pull_number: number;
};

type PullsListParams = RepoParams &
  PageParams & {
    state?: 'open' | 'closed' | 'all';
    /** `owner:branch`. */
    head?: string;
    base?: string;
    sort?: 'created' | 'updated';
    direction?: 'asc' | 'desc';
  };

type PullsCreateParams = RepoParams & {
  title: string;
  head: string;
  base: string;
  body?: string;
  draft?: boolean;
};

type PullsUpdateParams = PullParams & {
  title?: string;
  body?: string;
  state?: 'open' | 'closed';
};

export type ReviewCommentParams = {
  path: string;
  line: number;
  side: 'RIGHT';
  body: string;
};

export type PullsCreateReviewParams = PullParams & {
  commit_id?: string;
  event: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';
  body?: string;
  comments?: ReviewCommentParams[];
};

type PullsMergeParams = PullParams & {
  sha?: string;
  merge_method?: 'merge' | 'squash' | 'rebase';
};

type RefReadParams = RepoParams & {
  ref: string;
};

type ReposMergeParams = RepoParams & {
  base: string;
  head: string;
  commit_message?: string;
};

type GetTreeParams = RepoParams & {
  tree_sha: string;
  recursive?: string;
};

/** `sha: null` deletes the path. Exactly one of `sha` and `content`. */
export type NewTreeEntry = {
  path: string;
  mode: '100644' | '100755' | '040000' | '160000' | '120000';
  type: 'blob' | 'tree' | 'commit';
  sha?: string | null;
  content?: string;
};

type CreateTreeParams = RepoParams & {
  tree: NewTreeEntry[];
  base_tree?: string;
};

/** Without author and committer GitHub signs the commit as the app. */
export type CreateCommitParams = RepoParams & {
  message: string;
  tree: string;
  parents: string[];
};

/**
 * The part of GitHub that decree uses: one method per REST call, named as in Octokit. Methods reject with whatever
 * Octokit throws; retries, typed errors and the check of the answers are the business of `ForgeCalls`.
 */
export interface GitHubClient {
  readonly apps: {
    getAuthenticated(): AnswerTo<typeof answers.AppData>;
    getInstallation(params: { installation_id: number }): AnswerTo<typeof answers.InstallationData>;
  };
  readonly issues: {
    get(params: IssueParams): AnswerTo<typeof answers.IssueData>;
    listForRepo(params: IssuesListParams): Promise<Answer<answers.IssueData[]>>;
    create(params: IssuesCreateParams): AnswerTo<typeof answers.IssueData>;
    update(params: IssuesUpdateParams): AnswerTo<typeof answers.IssueData>;
    addLabels(params: IssueParams & { labels: string[] }): Promise<Answer<answers.Label[]>>;
    removeLabel(params: IssueParams & { name: string }): Promise<Answer<answers.Label[]>>;
    createComment(params: IssueParams & { body: string }): AnswerTo<typeof answers.CommentData>;
    listComments(params: IssueParams & PageParams): Promise<Answer<answers.CommentData[]>>;
    listLabelsForRepo(params: RepoParams & PageParams): Promise<Answer<answers.LabelData[]>>;
    createLabel(params: LabelCreateParams): AnswerTo<typeof answers.LabelData>;
  };
  readonly pulls: {
    list(params: PullsListParams): Promise<Answer<answers.PullRequestData[]>>;
    get(params: PullParams): AnswerTo<typeof answers.PullRequestDetailData>;
    create(params: PullsCreateParams): AnswerTo<typeof answers.PullRequestDetailData>;
    update(params: PullsUpdateParams): AnswerTo<typeof answers.PullRequestDetailData>;
    listFiles(params: PullParams & PageParams): Promise<Answer<answers.PullRequestFileData[]>>;
    listReviews(params: PullParams & PageParams): Promise<Answer<answers.ReviewData[]>>;
    listReviewComments(params: PullParams & PageParams): Promise<Answer<answers.ReviewCommentData[]>>;
    createReview(params: PullsCreateReviewParams): AnswerTo<typeof answers.ReviewData>;
    dismissReview(params: PullParams & { review_id: number; message: string }): AnswerTo<typeof answers.ReviewData>;
    merge(params: PullsMergeParams): AnswerTo<typeof answers.MergedPullRequestData>;
  };
  readonly repos: {
    get(params: RepoParams): AnswerTo<typeof answers.RepositoryData>;
    getCombinedStatusForRef(params: RefReadParams & PageParams): AnswerTo<typeof answers.CombinedStatusData>;
    getContent(params: RepoParams & { path: string; ref?: string }): AnswerTo<typeof answers.ContentData>;
    merge(params: ReposMergeParams): AnswerTo<typeof answers.MergedCommitData>;
  };
  readonly checks: {
    listForRef(params: RefReadParams & PageParams): AnswerTo<typeof answers.CheckRunListData>;
  };
  readonly git: {
    /** `ref` without the leading `refs/`, e.g. `heads/main`. */
    getRef(params: RefReadParams): AnswerTo<typeof answers.RefData>;
    getCommit(params: RepoParams & { commit_sha: string }): AnswerTo<typeof answers.CommitData>;
    getTree(params: GetTreeParams): AnswerTo<typeof answers.TreeData>;
    getBlob(params: RepoParams & { file_sha: string }): AnswerTo<typeof answers.BlobData>;
    createBlob(
      params: RepoParams & { content: string; encoding: 'utf-8' | 'base64' },
    ): AnswerTo<typeof answers.CreatedBlobData>;
    createTree(params: CreateTreeParams): AnswerTo<typeof answers.TreeData>;
    createCommit(params: CreateCommitParams): AnswerTo<typeof answers.CommitData>;
    /** `ref` with the leading `refs/`. */
    createRef(params: RefReadParams & { sha: string }): AnswerTo<typeof answers.RefData>;
    /** `ref` without the leading `refs/`. */
    updateRef(params: RefReadParams & { sha: string; force?: boolean }): AnswerTo<typeof answers.RefData>;
  };
  /** A token of the installation, from the cache while it is good for some minutes more. */
  getInstallationToken(): Promise<string>;
  /** The token was refused: the next call gets a new one. */
  forgetToken(): void;
  /** An answer could not be read: none that is kept is to be used again, or it would be taken for the truth for ever. */
  readonly forgetAnswers: () => void;
  /** The newest word of the forge about its limits. */
  rateLimit(): RateLimit | null;
}

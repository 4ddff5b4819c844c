/**
 * What we read of GitHub's answers: only the fields that decree uses, schema and type under one name. The client's
 * types come from here, so the compiler compares them with Octokit's; the schemas check the bytes that really came.
 */
import { z } from 'zod';

const Account = z.object({ login: z.string() }).nullish();

const Label = z.union([z.string(), z.object({ name: z.string().nullish() })]);
export type Label = z.infer<typeof Label>;

/** A label of the repository itself. */
export const LabelData = z.object({ name: z.string() });
export type LabelData = z.infer<typeof LabelData>;

export const AppData = z.object({ slug: z.string().min(1).optional() }).nullable();

export const InstallationData = z.object({ permissions: z.record(z.string(), z.string().optional()) });

export const RepositoryNameData = z.object({ full_name: z.string().min(1) });

export const RepositoryData = z.object({
  default_branch: z.string(),
  allow_merge_commit: z.boolean().optional(),
  allow_squash_merge: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
});

export const IssueData = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  labels: z.array(Label),
  created_at: z.string(),
  user: Account,
  pull_request: z.object({ merged_at: z.string().nullish() }).optional(),
});
export type IssueData = z.infer<typeof IssueData>;

export const CommentData = z.object({
  id: z.int().positive(),
  body: z.string().nullish(),
  user: Account,
  author_association: z.string().optional(),
});
export type CommentData = z.infer<typeof CommentData>;

/** What a listing and a single read of a pull request have in common. */
export const PullRequestData = z.object({
  number: z.int().positive(),
  title: z.string(),
  html_url: z.string(),
  state: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().optional(),
  merged_at: z.string().nullish(),
  updated_at: z.string(),
  user: Account,
  head: z.object({
    sha: z.string().min(1),
    ref: z.string().min(1),
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
  base: z.object({ ref: z.string(), sha: z.string() }),
});
export type PullRequestData = z.infer<typeof PullRequestData>;

export const PullRequestDetailData = PullRequestData.extend({
  merged: z.boolean(),
  mergeable: z.boolean().nullish(),
  changed_files: z.int().nonnegative(),
});
export type PullRequestDetailData = z.infer<typeof PullRequestDetailData>;

export const PullRequestFileData = z.object({
  filename: z.string(),
  status: z.enum(['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged']).catch('changed'),
  patch: z.string().optional(),
});
export type PullRequestFileData = z.infer<typeof PullRequestFileData>;

export const ReviewData = z.object({
  id: z.int().positive(),
  body: z.string().nullish(),
  state: z.string(),
  user: Account,
  author_association: z.string().optional(),
});
export type ReviewData = z.infer<typeof ReviewData>;

export const ReviewCommentData = z.object({
  id: z.int().positive(),
  body: z.string().nullish(),
  path: z.string(),
  line: z.int().nullish(),
  user: Account,
  author_association: z.string().optional(),
});
export type ReviewCommentData = z.infer<typeof ReviewCommentData>;

export const CombinedStatusData = z.object({
  state: z.string(),
  total_count: z.int().nonnegative(),
  statuses: z.array(z.object({ state: z.string(), context: z.string(), target_url: z.string().nullish() })),
});
export type CombinedStatusData = z.infer<typeof CombinedStatusData>;

export const CheckRunData = z.object({
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  details_url: z.string().nullish(),
  html_url: z.string().nullish(),
  output: z.object({ summary: z.string().nullish(), text: z.string().nullish() }).optional(),
});
export type CheckRunData = z.infer<typeof CheckRunData>;

export const CheckRunListData = z.object({
  total_count: z.int().nonnegative(),
  check_runs: z.array(CheckRunData),
});

const ContentEntry = z.object({ type: z.string(), path: z.string(), sha: z.string() });
export const ContentData = z.union([ContentEntry, z.array(ContentEntry)]);

export const RefData = z.object({ ref: z.string(), object: z.object({ sha: z.string().min(1), type: z.string() }) });

export const CommitData = z.object({
  sha: z.string().min(1),
  message: z.string(),
  tree: z.object({ sha: z.string().min(1) }),
  parents: z.array(z.object({ sha: z.string().min(1) })),
});

export const TreeEntryData = z.object({
  path: z.string(),
  mode: z.string(),
  type: z.string(),
  sha: z.string(),
  size: z.int().nonnegative().optional(),
});
export type TreeEntryData = z.infer<typeof TreeEntryData>;

export const TreeData = z.object({ sha: z.string().min(1), truncated: z.boolean(), tree: z.array(TreeEntryData) });

export const BlobData = z.object({ sha: z.string().min(1), content: z.string(), encoding: z.string() });

/** The answer to a created blob: its name. */
export const CreatedBlobData = z.object({ sha: z.string().min(1) });

/** `POST /merges` answers 201 with the merge commit, or 204 with nothing when there was nothing to merge. */
export const MergedCommitData = z.union([z.object({ sha: z.string().min(1) }), z.literal('')]);

export const MergedPullRequestData = z.object({ merged: z.boolean(), sha: z.string() });

/** For calls whose answer nobody reads. */
export const IgnoredData = z.unknown();

import type { ReviewHistory, ReviewSubmission } from '../../../domain/revision.ts';
import type { RevisionProviderReader } from '../../ports.ts';
import {
  CommentData,
  PullRequestDetailData,
  PullRequestFileData,
  ReviewCommentData,
  ReviewData,
} from '../github-client/answers.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { stripMetadata } from '../mapping/body-metadata.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { nullIfNotFound, resourceNumber } from '../resource-number.ts';
import type { PipelineReader } from './pipeline-reader.ts';
import type { RevisionSource } from './revision-source.ts';

const REVISIONS_AT_ONCE = 8;

export function createRevisionReader(
  { client, calls, at, botName }: RepositoryAccess,
  revisions: RevisionSource,
  pipelines: PipelineReader,
): RevisionProviderReader {
  const readPR = async (id: string) => {
    const pull_number = resourceNumber(id);
    return calls.repeatable(PullRequestDetailData, () => client.pulls.get({ ...at, pull_number }));
  };

  return {
    async listRevisions() {
      const open = await revisions.listOpen();
      revisions.retain(open);
      return mapConcurrently(open, REVISIONS_AT_ONCE, (pr) => revisions.describe(pr));
    },

    async getRevision(id) {
      const pr = await nullIfNotFound(() => readPR(id));
      return pr === null ? null : revisions.describeFresh(pr);
    },

    async getRevisionFiles(id) {
      const pull_number = resourceNumber(id);
      const files = await calls.list(PullRequestFileData, (page) =>
        client.pulls.listFiles({ ...at, ...page, pull_number }),
      );
      return files.map(({ filename, status, patch }) => ({ path: filename, status, patch: patch ?? null }));
    },

    async getReviewHistory(id): Promise<ReviewHistory> {
      const pull_number = resourceNumber(id);
      const [reviews, inlineComments, comments, bot] = await Promise.all([
        calls.list(ReviewData, (page) => client.pulls.listReviews({ ...at, ...page, pull_number })),
        calls.list(ReviewCommentData, (page) => client.pulls.listReviewComments({ ...at, ...page, pull_number })),
        calls.list(CommentData, (page) => client.issues.listComments({ ...at, ...page, issue_number: pull_number })),
        botName(),
      ]);
      return {
        reviews: reviews.map((review) => ({ ...remark(review, bot), state: reviewState(review.state) })),
        inlineComments: inlineComments.map((comment) => ({
          ...remark(comment, bot),
          path: comment.path,
          line: comment.line ?? null,
        })),
        comments: comments.map((comment) => remark(comment, bot)),
      };
    },

    getCheckRuns: async (id) => pipelines.checkRuns((await readPR(id)).head.sha),
  };
}

/** Whose words may enter a prompt, besides the app's own. */
const TRUSTED_ASSOCIATIONS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

function remark(data: CommentData, botName: string) {
  const author = data.user?.login ?? '';
  return {
    id: String(data.id),
    author,
    body: stripMetadata(data.body ?? ''),
    isTrusted: author === botName || TRUSTED_ASSOCIATIONS.has(data.author_association ?? ''),
  };
}

/** A state that we do not know is a remark: it neither approves nor asks for changes. */
function reviewState(state: string): ReviewSubmission['state'] {
  switch (state) {
    case 'APPROVED':
    case 'CHANGES_REQUESTED':
    case 'DISMISSED':
    case 'PENDING':
      return state;
    default:
      return 'COMMENTED';
  }
}

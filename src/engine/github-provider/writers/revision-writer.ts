import { ProviderError } from '../../../domain/provider-error.ts';
import type { RevisionProviderWriter } from '../../ports.ts';
import { MergedPullRequestData, PullRequestDetailData, RepositoryData } from '../github-client/answers.ts';
import type { RevisionSource } from '../readers/revision-source.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resourceNumber } from '../resource-number.ts';
import { createCommentWriter } from './comment-writer.ts';
import { createReviewWriter } from './review-writer.ts';

/** `createFromPatch` is a story of its own and comes from outside. */
export function createRevisionWriter(
  access: RepositoryAccess,
  revisions: RevisionSource,
  createFromPatch: RevisionProviderWriter['createFromPatch'],
): RevisionProviderWriter {
  const { client, calls, at } = access;
  const comments = createCommentWriter(access);
  const reviews = createReviewWriter(access);

  /** Whether it succeeded or is in doubt: what was known about the revision is not to be relied on. */
  const writing = async <T>(revisionID: string, write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } finally {
      revisions.forget(revisionID);
    }
  };

  const isMerged = async (pull_number: number) =>
    (await calls.repeatable(PullRequestDetailData, () => client.pulls.get({ ...at, pull_number }))).merged;

  /** Repositories can forbid merge commits. */
  const mergeMethod = async () => {
    const repository = await calls.repeatable(RepositoryData, () => client.repos.get({ ...at }));
    if (repository.allow_merge_commit !== false) return 'merge';
    return repository.allow_squash_merge === false ? 'rebase' : 'squash';
  };

  return {
    createFromPatch,

    updateBody: (revisionID, body) =>
      writing(revisionID, async () => {
        const pull_number = resourceNumber(revisionID);
        await calls.repeatable(PullRequestDetailData, () => client.pulls.update({ ...at, pull_number, body }));
      }),

    postReview: (revisionID, ...review) => writing(revisionID, () => reviews.postReview(revisionID, ...review)),
    findReview: (revisionID, key) => reviews.findReview(revisionID, key),
    updateReview: (revisionID, ...review) => writing(revisionID, () => reviews.updateReview(revisionID, ...review)),

    postComment: (revisionID, body, options) =>
      writing(revisionID, async () => {
        await comments.post(revisionID, body, options);
      }),

    mergeRevision: (revisionID, expectedHeadSHA) =>
      writing(revisionID, async () => {
        const pull_number = resourceNumber(revisionID);
        const params = { ...at, pull_number, sha: expectedHeadSHA, merge_method: await mergeMethod() } as const;
        try {
          await calls.repeatable(MergedPullRequestData, () => client.pulls.merge(params));
        } catch (error) {
          // GitHub refuses to merge twice, also when the first answer was lost.
          const isRefused = error instanceof ProviderError && ['rejected', 'conflict'].includes(error.kind);
          if (!isRefused || !(await isMerged(pull_number))) throw error;
        }
      }),
  };
}

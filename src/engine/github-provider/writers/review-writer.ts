import type { AgentReview } from '../../../domain/agent-result.ts';
import { ProviderError } from '../../../domain/provider-error.ts';
import type { RevisionProviderWriter } from '../../ports.ts';
import { IgnoredData, PullRequestDetailData, PullRequestFileData, ReviewData } from '../github-client/answers.ts';
import { carriesKey } from '../mapping/body-metadata.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resourceNumber } from '../resource-number.ts';
import { composeReview } from './compose-review.ts';
import { commentableLines } from './diff-lines.ts';

export type ReviewWriter = Pick<RevisionProviderWriter, 'postReview' | 'findReview' | 'updateReview'>;

export function createReviewWriter({ client, calls, at, botName }: RepositoryAccess): ReviewWriter {
  const readLines = async (pull_number: number, review: AgentReview) => {
    if (!review.comments.some(({ line }) => line !== null)) return new Map<string, Set<number>>();
    const files = await calls.list(PullRequestFileData, (page) =>
      client.pulls.listFiles({ ...at, ...page, pull_number }),
    );
    return new Map(files.map(({ filename, patch }) => [filename, commentableLines(patch ?? '')]));
  };

  const postReview: ReviewWriter['postReview'] = async (revisionID, review, options = {}) => {
    const pull_number = resourceNumber(revisionID);
    const [pr, lines, bot] = await Promise.all([
      calls.repeatable(PullRequestDetailData, () => client.pulls.get({ ...at, pull_number })),
      readLines(pull_number, review),
      botName(),
    ]);
    const drafts = composeReview(review, { isOwn: pr.user?.login === bot, lines, key: options.key });
    let refusal: unknown = new ProviderError('rejected', `No review could be composed for ${revisionID}`);
    for (const draft of drafts) {
      try {
        const params = { ...at, ...draft, pull_number, commit_id: pr.head.sha };
        const posted = await calls.creating(ReviewData, () => client.pulls.createReview(params));
        return String(posted.id);
      } catch (error) {
        // A refused review is not stored in part: the next version may be tried without looking for it first.
        if (!isRefusal(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  };

  /** Plain comments cannot be dismissed, nor what is dismissed already: then there is nothing to take back. */
  const dismiss = async (pull_number: number, review_id: number) => {
    const message = 'Replaced by a newer review.';
    try {
      await calls.repeatable(IgnoredData, () => client.pulls.dismissReview({ ...at, pull_number, review_id, message }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  };

  return {
    postReview,

    async findReview(revisionID, key) {
      const pull_number = resourceNumber(revisionID);
      const bot = await botName();
      const listed = await calls.list(ReviewData, (page) => client.pulls.listReviews({ ...at, ...page, pull_number }));
      const review = listed.find(({ user, body }) => user?.login === bot && carriesKey(body, key));
      return review === undefined ? null : String(review.id);
    },

    async updateReview(revisionID, reviewID, review, options) {
      await dismiss(resourceNumber(revisionID), resourceNumber(reviewID));
      return postReview(revisionID, review, options);
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'rejected';
}

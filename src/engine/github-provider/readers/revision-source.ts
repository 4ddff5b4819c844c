import type { Revision } from '../../../domain/revision.ts';
import type { Clock } from '../../ports.ts';
import { ReviewData, type PullRequestData, type PullRequestDetailData } from '../github-client/answers.ts';
import {
  linkRevisions,
  mapPRToRevision,
  newestReviewBy,
  type LinkScope,
  type RevisionDetails,
} from '../mapping/map-pr-to-revision.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { createOpenPullRequests } from './open-pull-requests.ts';
import type { PipelineReader } from './pipeline-reader.ts';
import { createRevisionMemory } from './revision-memory.ts';

/** Pull requests as revisions: the one place that knows what of a revision must be read anew and what is known. */
export interface RevisionSource {
  listOpen(): Promise<PullRequestData[]>;
  /** Work item id -> id of the open revision that closes it. */
  links(): Promise<Map<string, string>>;
  scope(): Promise<LinkScope>;
  /** CI and review come from memory if the pull request is unchanged and settled. */
  describe(pr: PullRequestData): Promise<Revision>;
  /** CI and review are read. */
  describeFresh(pr: PullRequestData | PullRequestDetailData): Promise<Revision>;
  /** To be called after every write to a revision: nothing read before counts any more. */
  forget(revisionID: string): void;
  /** Forgets what is not open any more. */
  retain(open: readonly PullRequestData[]): void;
}

export function createRevisionSource(
  access: RepositoryAccess,
  pipelines: PipelineReader,
  clock: Clock,
): RevisionSource {
  const { client, calls, at, defaultBranch, botName } = access;
  const listing = createOpenPullRequests(access);
  const memory = createRevisionMemory(clock);

  const scope = async () => ({ ...at, defaultBranch, botName: await botName() });

  const readDetails = async (pr: PullRequestData): Promise<RevisionDetails> => {
    const [pipeline, reviews, bot] = await Promise.all([
      pipelines.readOrNull(pr.head.sha),
      calls.list(ReviewData, (page) => client.pulls.listReviews({ ...at, ...page, pull_number: pr.number })),
      botName(),
    ]);
    return { pipeline, reviewID: newestReviewBy(bot, reviews) };
  };

  const readAndKeep = async (pr: PullRequestData) => {
    const ticket = memory.begin(pr);
    const details = await readDetails(pr);
    memory.keep(ticket, details);
    return details;
  };

  return {
    listOpen: () => listing.list(),
    links: async () => linkRevisions(await listing.list(), await scope()),
    scope,
    describe: async (pr) => mapPRToRevision(pr, await scope(), memory.recall(pr) ?? (await readAndKeep(pr))),
    async describeFresh(pr) {
      const details = await readAndKeep(pr);
      const isMergeable = 'mergeable' in pr ? pr.mergeable : null;
      return mapPRToRevision(pr, await scope(), { ...details, isMergeable });
    },
    forget(revisionID) {
      memory.forget(revisionID);
      listing.invalidate();
    },
    retain: (open) => memory.retain(open),
  };
}

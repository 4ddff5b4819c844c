import { PullRequestData } from '../github-client/answers.ts';
import type { RepositoryAccess } from '../repository-access.ts';

/**
 * The listing of all open pull requests. Work items and revisions both need it, and are polled at the same time, so
 * readers that come while a listing is under way share it; unless we wrote something since it began, for then its
 * answer could be older than what the caller knows.
 */
export interface OpenPullRequests {
  list(): Promise<PullRequestData[]>;
  /** To be called after every write. */
  invalidate(): void;
}

export function createOpenPullRequests({ client, calls, at }: RepositoryAccess): OpenPullRequests {
  let underWay: Promise<PullRequestData[]> | null = null;

  const read = async () => {
    const listed = await calls.list(PullRequestData, (page) =>
      client.pulls.list({ ...at, ...page, state: 'open', sort: 'created', direction: 'asc' }),
    );
    // A list that moves while its pages are read can show an entry twice.
    return [...new Map(listed.map((pr) => [pr.number, pr])).values()];
  };

  return {
    list() {
      if (underWay !== null) return underWay;
      const listing = read().finally(() => {
        if (underWay === listing) underWay = null;
      });
      underWay = listing;
      return listing;
    },
    invalidate() {
      underWay = null;
    },
  };
}

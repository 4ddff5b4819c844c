import { defaultBranchMissing } from '../../../domain/default-branch-missing.ts';
import { PatchError, ProviderError } from '../../../domain/provider-error.ts';
import type { PipelineResult, Revision } from '../../../domain/revision.ts';
import type { Clock } from '../../ports.ts';
import { IssueData, PullRequestData, PullRequestDetailData } from '../github-client/answers.ts';
import { mapPRToRevision } from '../mapping/map-pr-to-revision.ts';
import type { RevisionSource } from '../readers/revision-source.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resourceNumber } from '../resource-number.ts';
import type { Branch, BranchWriter, MergeContext } from './branch-writer.ts';

interface RevisionRequest {
  readonly workItemID: string;
  readonly branch: string;
  readonly state: Branch;
  /** The commit that the patch was made on. */
  readonly baseSHA: string;
  readonly context: MergeContext;
}

export interface RevisionOpener {
  /** Rejects with `refused` unless the branch has an open revision. */
  requireOpen(branch: string): Promise<void>;
  /**
   * Finds the open revision of a branch, or opens one. If it cannot be merged because the default branch has moved,
   * merges that in. Rejects with `conflict` where the forge cannot do it.
   */
  open(request: RevisionRequest): Promise<Revision>;
}

/** How often, and after which pauses, the forge is asked whether it can merge: it finds out in the background. */
const MERGEABLE_PAUSES_MS = [500, 1_000, 2_000, 4_000];

/** True of a commit that was pushed a moment ago. */
const NO_CI_YET: PipelineResult = { status: 'pending', url: null, reason: null, checkCount: 0 };

export function createRevisionOpener(
  { client, calls, at, defaultBranch }: RepositoryAccess,
  revisions: RevisionSource,
  branches: BranchWriter,
  clock: Clock,
): RevisionOpener {
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

  const read = (pull_number: number) =>
    calls.repeatable(PullRequestDetailData, () => client.pulls.get({ ...at, pull_number }));

  const find = async (branch: string) => {
    const head = `${at.owner}:${branch}`;
    const listed = await calls.list(PullRequestData, (page) =>
      client.pulls.list({ ...at, ...page, head, state: 'open' }),
    );
    const fullName = `${at.owner}/${at.repo}`.toLowerCase();
    return listed.find((pr) => pr.head.ref === branch && pr.head.repo?.full_name.toLowerCase() === fullName) ?? null;
  };

  const create = async (workItemID: string, branch: string) => {
    const issue_number = resourceNumber(workItemID);
    const { title } = await calls.repeatable(IssueData, () => client.issues.get({ ...at, issue_number }));
    const body = `Closes #${workItemID}`;
    return calls.creating(PullRequestDetailData, () =>
      client.pulls.create({ ...at, title, body, head: branch, base: defaultBranch }),
    );
  };

  /** A forge allows one revision per branch: a refusal, or a lost answer, may mean that it is there by now. */
  const createOrFind = async (workItemID: string, branch: string) => {
    try {
      return await create(workItemID, branch);
    } catch (error) {
      const mayExist = error instanceof ProviderError && (error.kind === 'rejected' || error.isInDoubt);
      if (!mayExist) throw error;
      const found = await find(branch);
      if (found !== null) return read(found.number);
      if (!/already exists/i.test(error.message)) {
        if ((await branches.read(defaultBranch)) !== null) throw error;
        throw defaultBranchMissing(defaultBranch, 'unavailable', error);
      }
      // Listings lag behind: it is there, and a later call will find it.
      const message = `The pull request of ${branch} exists, but is not listed yet. Try again in a minute.`;
      throw new ProviderError('unavailable', message, { cause: error });
    }
  };

  /** The revision once the forge has made up its mind about this head, or as it is if that takes too long. */
  const readMergeable = async (pr: PullRequestDetailData, headSHA: string) => {
    let latest = pr;
    for (const pause of MERGEABLE_PAUSES_MS) {
      if (latest.head.sha === headSHA && typeof latest.mergeable === 'boolean') return latest;
      await sleep(pause);
      latest = await read(pr.number);
    }
    return latest;
  };

  const openNew = async ({ workItemID, branch, state, baseSHA }: RevisionRequest) => {
    const pr = await createOrFind(workItemID, branch);
    const isUpToDate = pr.base.sha === baseSHA;
    return isUpToDate ? pr : readMergeable(await read(pr.number), state.headSHA);
  };

  const describe = async (pr: PullRequestDetailData, { state }: RevisionRequest) => {
    if (!state.isNew) return revisions.describeFresh(pr);
    // The app has opened it this moment: nothing can have been said about it, and its author is the app.
    const scope = { ...at, defaultBranch, botName: pr.user?.login ?? '' };
    return mapPRToRevision(pr, scope, { pipeline: NO_CI_YET, reviewID: null, isMergeable: pr.mergeable });
  };

  return {
    async requireOpen(branch) {
      if ((await find(branch)) !== null) return;
      throw new PatchError(
        'refused',
        `The pull request of ${branch} was closed, or its branch deleted, while the work went on. Nothing was published, ` +
          'and the result is kept in the journal. Reopen the pull request to go on with it; otherwise a new one is begun.',
      );
    },

    async open(request) {
      const { branch, state, context } = request;
      const existing = state.isNew ? null : await find(branch);
      let pr =
        existing === null ? await openNew(request) : await readMergeable(await read(existing.number), state.headSHA);
      revisions.forget(String(pr.number));
      if (pr.mergeable === false) {
        await branches.mergeDefaultBranch(branch, pr.head.sha, context);
        pr = await read(pr.number);
      }
      return describe(pr, request);
    },
  };
}

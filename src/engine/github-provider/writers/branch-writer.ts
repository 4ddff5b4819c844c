import { defaultBranchMissing } from '../../../domain/default-branch-missing.ts';
import { PatchError, ProviderError } from '../../../domain/provider-error.ts';
import { MergedCommitData, RefData } from '../github-client/answers.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { mergeMessage, runOf } from './commit-message.ts';
import type { GitCommit, GitObjects } from './git-objects.ts';
import { namePaths } from './name-paths.ts';

/**
 * The paths on which a commit collides with another, in decree's own clone. `ours` may not be there yet; its tree and
 * parents may. An empty list means that it cannot tell.
 */
export type FindConflicts = (ours: GitCommit, theirsSHA: string) => Promise<readonly string[]>;

export interface Branch {
  readonly headSHA: string;
  /** Made just now, so that no revision can exist for it. */
  readonly isNew: boolean;
}

/** What a merge is for, for its message and for the error that says it failed. */
export interface MergeContext {
  readonly key: string | undefined;
  /** Named in a conflict if nobody knows better. */
  readonly paths: readonly string[];
  /** The commit that the work was made on. A branch that holds it no longer was rewritten by somebody. */
  readonly baseSHA?: string | undefined;
}

export interface BranchWriter {
  read(branch: string): Promise<GitCommit | null>;
  /** Whether the command with this key has already put its commit on the branch. */
  holdsRun(tip: GitCommit, key: string | undefined, baseSHA: string | undefined): Promise<boolean>;
  /**
   * Brings the commit onto the branch: made, fast-forwarded or merged, never forced. Rejects with `conflict`, also where
   * that would bring back what somebody has taken out of the branch.
   */
  advance(branch: string, tip: GitCommit | null, commit: GitCommit, context: MergeContext): Promise<Branch>;
  /** Merges the default branch in. Rejects with `conflict`. */
  mergeDefaultBranch(branch: string, headSHA: string, context: MergeContext): Promise<void>;
}

/** How often a branch may move under our hands before we give up. */
const MAX_ATTEMPTS = 5;
/** How many commits others may have put on top of ours by the time we look for it. */
const MAX_COMMITS_SEARCHED = 20;
/** How many commits somebody may have put on a branch by the time that our work is ready for it. */
const MAX_COMMITS_PUSHED = 100;

export function createBranchWriter(
  { client, calls, at, defaultBranch }: RepositoryAccess,
  objects: GitObjects,
  findConflicts: FindConflicts | undefined,
): BranchWriter {
  const read: BranchWriter['read'] = async (branch) => {
    const sha = await objects.readBranch(branch);
    return sha === null ? null : objects.readCommit(sha);
  };

  /** Returns the new head, or null if there was nothing to merge. */
  const merge = async (params: { base: string; head: string; commit_message: string }) => {
    const merged = await calls.repeatable(MergedCommitData, () => client.repos.merge({ ...at, ...params }));
    return merged === '' ? null : merged.sha;
  };

  const conflictOf = async (
    ours: GitCommit,
    theirsSHA: string | null,
    branch: string,
    context: MergeContext,
    cause: unknown,
  ) => {
    // The merge has failed either way: not knowing where is no reason to hide that.
    const known = theirsSHA === null ? [] : await findConflicts?.(ours, theirsSHA).catch(() => []);
    const paths = known === undefined || known.length === 0 ? context.paths : known;
    const message = `The patch conflicts with other work on ${branch} in ${namePaths(paths)}. It has to be made anew.`;
    return new PatchError('conflict', message, { paths, cause });
  };

  const create = async (branch: string, sha: string) => {
    await calls.repeatable(RefData, () => client.git.createRef({ ...at, ref: `refs/heads/${branch}`, sha }));
    return { headSHA: sha, isNew: true };
  };

  const fastForward = async (branch: string, sha: string) => {
    await calls.repeatable(RefData, () => client.git.updateRef({ ...at, ref: `heads/${branch}`, sha, force: false }));
    return { headSHA: sha, isNew: false };
  };

  const mergeCommit = async (branch: string, tip: GitCommit, commit: GitCommit, context: MergeContext) => {
    const commit_message = mergeMessage('the patch', branch, { key: context.key });
    try {
      const merged = await merge({ base: branch, head: commit.sha, commit_message });
      return { headSHA: merged ?? tip.sha, isNew: false };
    } catch (error) {
      if (isKind(error, 'conflict')) throw await conflictOf(commit, tip.sha, branch, context, error);
      throw error;
    }
  };

  /** Nearest first, so that the way back is short also where the default branch was merged in. */
  const contains = async (tip: GitCommit, sha: string) => {
    const seen = new Set([tip.sha]);
    const queue = [tip];
    for (const commit of queue) {
      if (commit.sha === sha || commit.parents.includes(sha)) return true;
      for (const parent of commit.parents) {
        if (seen.has(parent)) continue;
        if (seen.size === MAX_COMMITS_PUSHED) return false;
        seen.add(parent);
        queue.push(await objects.readCommit(parent));
      }
    }
    return false;
  };

  const refuseRewritten = async (branch: string, tip: GitCommit, { baseSHA, paths }: MergeContext) => {
    if (baseSHA === undefined || (await contains(tip, baseSHA))) return;
    const message =
      `Somebody has rewritten ${branch} (a forced push): it no longer holds ${baseSHA}, on which this work was made. ` +
      'Publishing it would bring back what was taken out. It has to be made anew.';
    throw new PatchError('conflict', message, { paths });
  };

  return {
    read,

    async holdsRun(tip, key, baseSHA) {
      if (key === undefined) return false;
      let commit = tip;
      for (let searched = 0; searched < MAX_COMMITS_SEARCHED; searched += 1) {
        if (runOf(commit.message) === key) return true;
        const [parent] = commit.parents;
        if (baseSHA === undefined || commit.sha === baseSHA || parent === undefined || parent === baseSHA) return false;
        commit = await objects.readCommit(parent);
      }
      return false;
    },

    async advance(branch, knownTip, commit, context) {
      let tip = knownTip;
      for (let attempt = 1; ; attempt += 1) {
        if (tip?.sha === commit.sha) return { headSHA: tip.sha, isNew: false };
        if (tip !== null) await refuseRewritten(branch, tip, context);
        try {
          if (tip === null) return await create(branch, commit.sha);
          return await fastForward(branch, commit.sha);
        } catch (error) {
          // Refused: the branch exists by now, is gone by now, or has commits that ours does not build on.
          if (!isKind(error, 'rejected') || attempt === MAX_ATTEMPTS) throw error;
        }
        const before = tip;
        tip = await read(branch);
        if (tip === null || tip.sha === commit.sha || before === null) continue;
        await refuseRewritten(branch, tip, context);
        return mergeCommit(branch, tip, commit, context);
      }
    },

    async mergeDefaultBranch(branch, headSHA, context) {
      const commit_message = mergeMessage(defaultBranch, branch, { key: context.key });
      try {
        await merge({ base: branch, head: defaultBranch, commit_message });
      } catch (error) {
        if (isKind(error, 'not-found') && (await objects.readBranch(defaultBranch)) === null) {
          throw defaultBranchMissing(defaultBranch, 'unavailable', error);
        }
        if (!isKind(error, 'conflict')) throw error;
        const [ours, theirs] = await Promise.all([objects.readCommit(headSHA), objects.readBranch(defaultBranch)]);
        throw await conflictOf(ours, theirs, branch, context, error);
      }
    },
  };
}

function isKind(error: unknown, kind: ProviderError['kind']): boolean {
  return error instanceof ProviderError && error.kind === kind;
}

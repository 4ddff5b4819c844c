import { defaultBranchMissing } from '../../../domain/default-branch-missing.ts';
import { ProviderError } from '../../../domain/provider-error.ts';
import type { DecreeClone, Snapshot } from './decree-clone.ts';
import type { StartPoint } from './place.ts';

/** What a worktree starts from: a branch as the forge has it now, or the very commit that was polled. */
export async function findStart(clone: DecreeClone, start: StartPoint, signal: AbortSignal): Promise<Snapshot> {
  return 'branch' in start ? findBranch(clone, start, signal) : findCommit(clone, start.commit, signal);
}

async function findBranch(
  clone: DecreeClone,
  { branch, isDefault }: Extract<StartPoint, { branch: string }>,
  signal: AbortSignal,
): Promise<Snapshot> {
  await clone.fetch(signal);
  const found = await clone.resolve(`refs/remotes/origin/${branch}`);
  if (found !== null) return found;
  // That can be put back, and no item is to blame for it.
  if (isDefault) throw defaultBranchMissing(branch, 'unavailable');
  await refuseEmptiness(clone);
  throw new Error(`the forge has no branch "${branch}" that a worktree could start from`);
}

async function findCommit(clone: DecreeClone, sha: string, signal: AbortSignal): Promise<Snapshot> {
  const known = await clone.resolve(sha);
  if (known !== null) return known;
  await clone.fetch(signal);
  const fetched = await clone.resolve(sha);
  if (fetched !== null) return fetched;
  await refuseEmptiness(clone);
  // The branch has been rewritten since; forges still hand out the commit by its id.
  await clone.fetchCommit(sha, signal);
  const found = await clone.resolve(sha);
  if (found === null) throw new Error(`the forge has no commit ${sha}`);
  return found;
}

/** Git takes a page that a network shows instead of the forge for a repository without branches. */
async function refuseEmptiness(clone: DecreeClone): Promise<void> {
  if ((await clone.text(['for-each-ref', '--count=1', 'refs/remotes/origin'])) !== '') return;
  const message =
    'git found no branch at all where the forge should be. It is looked at again; does the network want you to sign in?';
  throw new ProviderError('unavailable', message);
}

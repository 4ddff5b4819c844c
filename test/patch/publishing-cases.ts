import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PatchError } from '../../src/domain/provider-error.ts';
import type { PublishingWorld } from './publishing-world.ts';
import { writeSnapshot } from './publishing-world.ts';
import {
  createRandom,
  driftSnapshot,
  editSnapshot,
  randomSnapshot,
  type Entry,
  type Snapshot,
} from './random-repository.ts';

export interface PublishedCase {
  readonly seed: number;
  /** What is wrong with what was published; null if nothing is. */
  readonly problem: string | null;
}

/**
 * Random work in random repositories, from the worktree to the pull request. The repositories of one call are folders
 * of one, so that a single push and a single worktree serve them all.
 */
export async function publishCases(world: PublishingWorld, firstSeed: number, count: number): Promise<PublishedCase[]> {
  const cases = Array.from({ length: count }, (_, index) => {
    const random = createRandom(firstSeed + index);
    const before = randomSnapshot(random);
    return {
      seed: firstSeed + index,
      folder: `case ${firstSeed + index}`,
      before,
      after: editSnapshot(random, before),
    };
  });
  const whole = (changed: string | null): Snapshot =>
    new Map(cases.flatMap(({ folder, before, after }) => inFolder(folder, folder === changed ? after : before)));
  const base = await world.commit(whole(null), null);
  await world.push({ main: base });
  const worktree = await world.openWorktree(base);
  const published: PublishedCase[] = [];
  for (const { seed, folder, before, after } of cases) {
    await writeSnapshot(join(worktree.folder, folder), after);
    const expected = await world.git('rev-parse', `${await world.commit(whole(folder), base)}^{tree}`);
    published.push({ seed, problem: await publish(`seed-${seed}`, expected) });
    await writeSnapshot(join(worktree.folder, folder), before);
  }
  await world.closeWorktree(worktree);
  return published;

  async function publish(branch: string, expectedTree: string): Promise<string | null> {
    const artifact = await world.extract(worktree);
    if (artifact === null) return expectedTree === worktree.start.tree ? null : 'changes were not noticed';
    if (artifact.treeSHA !== expectedTree) return `extracted ${artifact.treeSHA}, not ${expectedTree}`;
    const { patch, ...exact } = artifact;
    const revision = await world.writer.createFromPatch(world.workItemID, patch, branch, exact);
    const { tree, parents } = await world.readCommit(revision.headSHA);
    if (tree !== expectedTree) return `published ${tree}, not ${expectedTree}`;
    return isDeepStrictEqual(parents, [base]) ? null : `published on ${parents.join()}, not on ${base}`;
  }
}

function inFolder(folder: string, snapshot: Snapshot): [string, Entry][] {
  return [...snapshot].map(([path, entry]) => [`${folder}/${path}`, entry]);
}

/**
 * The same while somebody else changes the default branch, or the revision's own branch. The merge is git's business:
 * what `git merge-tree` says is what the forge must hold, and a conflict must name the paths that it names.
 */
export async function publishBesideOthers(
  world: PublishingWorld,
  seed: number,
  moved: 'default branch' | 'branch',
): Promise<PublishedCase & { readonly isConflict: boolean }> {
  const random = createRandom(seed);
  const before = randomSnapshot(random);
  const base = await world.commit(before, null);
  const theirs = await world.commit(driftSnapshot(random, before), base);
  const branch = `beside-${moved === 'branch' ? 'branch' : 'main'}-${seed}`;
  await world.push({ main: base, [branch]: base });
  const worktree = await world.openWorktree(base);
  await writeSnapshot(worktree.folder, editSnapshot(random, before));
  const artifact = await world.extract(worktree);
  await world.closeWorktree(worktree);
  const success = { seed, problem: null, isConflict: false };
  const fail = (problem: string) => ({ seed, problem, isConflict: false });
  if (artifact === null) return success;
  await world.push(moved === 'branch' ? { [branch]: theirs } : { main: theirs });

  const { patch, ...exact } = artifact;
  const options = { ...exact, key: `${seed}.1` };
  const outcome = await world.writer.createFromPatch(world.workItemID, patch, branch, options).catch(asConflict);
  await world.pull();
  const merged = await world.merge(exact.treeSHA, base, theirs);
  if (outcome instanceof PatchError) {
    const isSame = isDeepStrictEqual(outcome.paths.toSorted(), merged.conflicts.toSorted());
    const problem = isSame ? null : `conflict in ${outcome.paths.join()}, git says ${merged.conflicts.join()}`;
    return { seed, problem, isConflict: true };
  }
  if (merged.conflicts.length > 0) return fail(`published, but git says conflict in ${merged.conflicts.join()}`);
  const tree = await world.git('rev-parse', `${outcome.headSHA}^{tree}`);
  if (moved === 'branch') {
    return tree === merged.tree ? success : fail(`the branch holds ${tree}, git says ${merged.tree}`);
  }
  const shown = await world.git('diff', ...RAW, `${theirs}...${outcome.headSHA}`);
  const made = await world.git('diff', ...RAW, base, exact.treeSHA);
  return shown === made ? success : fail(`the pull request shows\n${shown}\nbut the agent made\n${made}`);
}

const RAW = ['--raw', '--full-index', '--no-renames'];

function asConflict(error: unknown): PatchError {
  if (error instanceof PatchError && error.kind === 'conflict') return error;
  throw error;
}

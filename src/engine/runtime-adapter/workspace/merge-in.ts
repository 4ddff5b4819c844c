import { join } from 'node:path';
import type { DecreeClone } from './decree-clone.ts';
import { originalPath } from './find-conflicts.ts';
import { readText } from './read-text.ts';
import type { Worktree } from './worktree.ts';

/** Another branch's work, merged into a worktree's files for its agent to finish. */
export interface MergedIn {
  /** What was merged: the second parent of the commit that the agent's work becomes. */
  readonly commit: string;
  /** The files as the merge left them. */
  readonly tree: string;
  /** Files in which git left conflict markers. */
  readonly conflicts: readonly string[];
}

/**
 * Merges a branch, as the forge has it now, into the files of a new worktree. Git merges what it can and leaves conflict
 * markers where it cannot. Null if the worktree's start already contains the branch.
 */
export async function mergeIn(
  clone: DecreeClone,
  { adminFolder, folder, start }: Worktree,
  branch: string,
  signal: AbortSignal,
): Promise<MergedIn | null> {
  const theirs = await clone.resolve(`refs/remotes/origin/${branch}`);
  if (theirs === null) return null;
  const base = await clone.text(['merge-base', '--all', start.commit, theirs.commit], { signal, exitCodes: [0, 1] });
  if (base === theirs.commit) return null;
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', start.commit, theirs.commit];
  const output = await clone.git(args, { signal, exitCodes: [0, 1] });
  const [tree = '', ...paths] = output.toString('utf8').split('\0').slice(0, -1);
  // The worktree's own HEAD and index: after this the merge shows as a change that is staged.
  const env = { GIT_DIR: adminFolder, GIT_INDEX_FILE: join(adminFolder, 'index') };
  await clone.git(['read-tree', '--reset', '-u', tree], { signal, env, worktree: folder });
  const commits = [start.commit, theirs.commit];
  return { commit: theirs.commit, tree, conflicts: [...new Set(paths.map((path) => originalPath(path, commits)))] };
}

/** The files in which conflict markers are still to be seen. */
export async function unresolvedConflicts(folder: string, { conflicts }: MergedIn): Promise<string[]> {
  const unresolved: string[] = [];
  for (const path of conflicts) {
    const text = (await readText(join(folder, path), 'latin1')) ?? ''; // deleted: that settles it too
    if (/^<{7} /m.test(text) && /^>{7} /m.test(text)) unresolved.push(path);
  }
  return unresolved;
}

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
  /** Paths that git could not merge. Names are kept byte for byte, one character each. */
  readonly conflicts: readonly string[];
  /** The commits on both sides, by which git names them in what it leaves. */
  readonly sides: readonly string[];
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
  const [tree = '', ...conflicts] = output.toString('latin1').split('\0').slice(0, -1);
  // The worktree's own HEAD and index: after this the merge shows as a change that is staged.
  const env = { GIT_DIR: adminFolder, GIT_INDEX_FILE: join(adminFolder, 'index') };
  await clone.git(['read-tree', '--reset', '-u', tree], { signal, env, worktree: folder });
  return { commit: theirs.commit, tree, conflicts, sides: [start.commit, theirs.commit] };
}

/** What git left for the agent to settle and is still there: conflict markers, and files that it put aside. */
export async function unresolvedConflicts(folder: string, { conflicts, sides }: MergedIn): Promise<string[]> {
  const unresolved: string[] = [];
  for (const name of conflicts) {
    const bytes = Buffer.from(name, 'latin1');
    const text = await readText(Buffer.concat([Buffer.from(`${folder}/`), bytes]), 'latin1');
    // Deleted: that settles it too.
    if (text === null) continue;
    const path = bytes.toString();
    const isPutAside = originalPath(path, sides) !== path;
    if (isPutAside || sides.some((side) => hasMarker(text, side))) unresolved.push(path);
  }
  return unresolved;
}

/** Markers name the side, so that text about conflict markers is not taken for one. */
function hasMarker(text: string, side: string): boolean {
  return new RegExp(`^[<>]{7} ${side}`, 'm').test(text);
}

import { copyFile, lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from '../../../git/git-error.ts';
import type { DecreeClone, Snapshot } from './decree-clone.ts';

export interface WorkToSave {
  readonly folder: string;
  /** Where the work goes, e.g. `refs/decree/runs/<sessionID>`. */
  readonly ref: string;
  /** The newest commit of the work; null if the folder is no worktree of ours (any more). */
  readonly head: string | null;
  /** What the work began with. Nothing beyond it: nothing to save. Null if that is not known. */
  readonly start: Snapshot | null;
  /** The folder's index, to spare git from reading every file again. */
  readonly indexFile: string | null;
}

/** Commits a folder as it is, ignored files aside, without touching its branch or index. Null: nothing to save. */
export async function saveWork(clone: DecreeClone, work: WorkToSave): Promise<string | null> {
  const { folder, head, start } = work;
  const tree = (await exists(folder)) ? await treeOf(clone, work) : start?.tree;
  if (tree === undefined) return null;
  const isUnchanged = tree === (start?.tree ?? EMPTY_TREE);
  if (isUnchanged && (head === null || head === start?.commit)) return null;
  const parent = head ?? start?.commit ?? null;
  const parents = parent === null ? [] : ['-p', parent];
  const commit = await clone.text(['commit-tree', tree, ...parents, '-m', `Unfinished work (${work.ref})`]);
  await clone.git(['update-ref', work.ref, commit]);
  return work.ref;
}

/** The agent's index spares git from reading every file again; but the agent may have left it in any state. */
async function treeOf(clone: DecreeClone, { folder, head, start, indexFile }: WorkToSave): Promise<string> {
  if (indexFile !== null) {
    try {
      return await snapshotTree(clone, folder, { indexFile });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
  }
  return snapshotTree(clone, folder, { commit: head ?? start?.commit ?? null });
}

export type SnapshotBase = { readonly indexFile: string } | { readonly commit: string | null };

/**
 * The tree of everything in a folder that is not ignored, committed or not. Ignored files count if they are in the
 * base: the index that is given, or a commit.
 */
export async function snapshotTree(
  clone: DecreeClone,
  folder: string,
  base: SnapshotBase,
  signal?: AbortSignal,
): Promise<string> {
  const scratch = join(clone.gitDir, `index-${crypto.randomUUID()}`);
  const options = { env: { GIT_INDEX_FILE: scratch }, ...(signal && { signal }) };
  try {
    if ('indexFile' in base) await copyFile(base.indexFile, scratch).catch(ignoreMissing);
    else if (base.commit !== null) await clone.git(['read-tree', base.commit], options);
    // 1: some file could not be read. The rest is worth saving all the same.
    await clone.git(['add', '--all', '--ignore-errors', '.'], { ...options, worktree: folder, exitCodes: [0, 1] });
    return await clone.text(['write-tree'], options);
  } finally {
    await rm(scratch, { force: true });
    await rm(`${scratch}.lock`, { force: true });
  }
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

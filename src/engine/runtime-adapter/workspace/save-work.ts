import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
  const tree = await snapshotTree(clone, work.folder, work.indexFile);
  const isUnchanged = work.start === null ? tree === EMPTY_TREE : tree === work.start.tree;
  if (isUnchanged && (work.head === null || work.head === work.start?.commit)) return null;
  const parents = work.head === null ? [] : ['-p', work.head];
  const commit = await clone.text(['commit-tree', tree, ...parents, '-m', `Unfinished work (${work.ref})`]);
  await clone.git(['update-ref', work.ref, commit]);
  return work.ref;
}

/** The tree of everything in a folder that is not ignored, committed or not. */
export async function snapshotTree(
  clone: DecreeClone,
  folder: string,
  indexFile: string | null,
  signal?: AbortSignal,
): Promise<string> {
  const scratch = join(clone.gitDir, `index-${crypto.randomUUID()}`);
  const options = { env: { GIT_INDEX_FILE: scratch }, ...(signal && { signal }) };
  try {
    if (indexFile !== null) await copyFile(indexFile, scratch).catch(ignoreMissing);
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

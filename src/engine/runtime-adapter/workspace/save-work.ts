import { copyFile } from 'node:fs/promises';
import { GitError } from '../../../git/git-error.ts';
import { addAll } from './add-all.ts';
import type { DecreeClone, Snapshot } from './decree-clone.ts';
import { isFolder } from './path-exists.ts';
import { isFile, withScratchIndex } from './record-tree.ts';

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

/**
 * Commits a folder as it is, ignored files aside, without touching its branch or index. A folder that is gone leaves
 * what was committed in it. Null: nothing to save.
 */
export async function saveWork(clone: DecreeClone, work: WorkToSave): Promise<string | null> {
  const commit = await commitOf(clone, work);
  if (commit === null) return null;
  await clone.git(['update-ref', work.ref, commit]);
  return work.ref;
}

async function commitOf(clone: DecreeClone, work: WorkToSave): Promise<string | null> {
  const { folder, head, start } = work;
  const hasCommits = head !== null && head !== start?.commit;
  if (!(await isFolder(folder))) return hasCommits ? head : null;
  const tree = await treeOf(clone, work);
  if (!hasCommits && tree === (start?.tree ?? EMPTY_TREE)) return null;
  const parent = head ?? start?.commit ?? null;
  const parents = parent === null ? [] : ['-p', parent];
  return clone.text(['commit-tree', tree, ...parents, '-m', `Unfinished work (${work.ref})`]);
}

/**
 * Everything in the folder that is not ignored, and ignored files that were added all the same. The agent's index says
 * what those are, and spares git from reading every file; but the agent may have left it in any state.
 */
async function treeOf(clone: DecreeClone, { folder, head, start, indexFile }: WorkToSave): Promise<string> {
  if (indexFile !== null && (await isFile(indexFile))) {
    try {
      return await withScratchIndex(clone, async (env) => {
        await copyFile(indexFile, env.GIT_INDEX_FILE);
        return treeWithAll(clone, folder, env);
      });
    } catch (error) {
      if (!(error instanceof GitError) && !isMissing(error)) throw error;
    }
  }
  const base = head ?? start?.commit ?? null;
  return withScratchIndex(clone, async (env) => {
    if (base !== null) await clone.git(['read-tree', base], { env });
    return treeWithAll(clone, folder, env);
  });
}

async function treeWithAll(clone: DecreeClone, folder: string, env: { GIT_INDEX_FILE: string }): Promise<string> {
  // Some file cannot be read? The rest is worth saving all the same.
  await addAll(clone, folder, { env, ignoreErrors: true });
  return clone.text(['write-tree'], { env });
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

import type { PatchArtifact } from '../../../domain/agent-result.ts';
import type { DecreeClone } from './decree-clone.ts';
import { diffTrees, listChanges } from './diff-trees.ts';
import type { MergedIn } from './merge-in.ts';
import { recordTree, withScratchIndex, type RecordedFolder } from './record-tree.ts';

export interface Extraction extends RecordedFolder {
  /** What was merged into the folder before set-up. */
  readonly mergedIn?: MergedIn | null;
  /** The tree after set-up, by `recordTree`. */
  readonly setUpTree: string;
}

/**
 * What an agent made: everything in its worktree, committed or not, against the commit it started from. Paths that
 * set-up alone changed are left out. Null if nothing is left, unless something was merged in. The worktree and its index are not touched.
 */
export async function extractPatch(
  clone: DecreeClone,
  extraction: Extraction,
  signal?: AbortSignal,
): Promise<PatchArtifact | null> {
  const { start, mergedIn = null } = extraction;
  const endTree = await recordTree(clone, extraction, signal);
  const treeSHA = await withoutSetUp(clone, mergedIn?.tree ?? start.tree, extraction.setUpTree, endTree, signal);
  // A merge settled in favour of one's own side changes no file, and yet is what makes the branch mergeable.
  if (treeSHA === start.tree && mergedIn === null) return null;
  const patch = await diffTrees(clone, start.tree, treeSHA, signal);
  return { patch, baseSHA: start.commit, treeSHA, ...(mergedIn && { mergeSHA: mergedIn.commit }) };
}

/** The tree at the end, with every path that only set-up touched as it was before set-up. */
async function withoutSetUp(
  clone: DecreeClone,
  startTree: string,
  setUpTree: string,
  endTree: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (setUpTree === startTree) return endTree;
  const [bySetUp, byAgent] = await Promise.all([
    listChanges(clone, startTree, setUpTree, signal),
    listChanges(clone, setUpTree, endTree, signal),
  ]);
  const agents = new Set(byAgent.map(({ path }) => path));
  const restored = bySetUp.filter(({ path }) => !agents.has(path));
  if (restored.length === 0) return endTree;
  return withScratchIndex(clone, async (env) => {
    const options = { env, ...(signal && { signal }) };
    // Removals (mode 000000) first, so that a folder can come back where set-up has put a file.
    const ordered = restored.toSorted((a, b) => a.oldMode.localeCompare(b.oldMode));
    const lines = ordered.map(({ oldMode, oldSHA, path }) => `${oldMode} ${oldSHA}\t${path}\0`);
    const input = Buffer.from(lines.join(''), 'latin1');
    await clone.git(['read-tree', endTree], options);
    await clone.git(['update-index', '-z', '--index-info'], { ...options, input });
    return clone.text(['write-tree'], options);
  });
}

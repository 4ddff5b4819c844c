import type { DecreeClone } from './decree-clone.ts';
import { originalPath } from './find-conflicts.ts';
import { withScratchIndex } from './record-tree.ts';

/** One version of a path that git could not merge. Its name is kept byte for byte, one character each. */
export interface ConflictEntry {
  readonly path: string;
  readonly mode: string;
  readonly sha: string;
  /** Whose version: 1 of neither side yet, 2 ours, 3 theirs. */
  readonly stage: string;
}

const SUBMODULE = '160000';

/**
 * Takes files out of a merged tree and puts each side's version beside the place, as `<path>~<commit>`: the way in which
 * git itself leaves a file that collides with a folder. What git has already put aside stays as it is. Rejects for a
 * submodule that both sides moved, since no agent can settle that.
 */
export async function putAside(
  clone: DecreeClone,
  tree: string,
  entries: readonly ConflictEntry[],
  [ours, theirs]: readonly [string, string],
  signal: AbortSignal,
): Promise<{ tree: string; aside: string[] }> {
  const aside: string[] = [];
  const removed: string[] = [];
  const added: string[] = [];
  for (const { path, mode, sha, stage } of entries) {
    if (mode === SUBMODULE) {
      throw new Error(`both sides moved the submodule ${path}; merge the default branch into this one by hand`);
    }
    const isByGit = originalPath(path, [ours, theirs]) !== path;
    const side = stage === '2' ? ours : theirs;
    if (!isByGit) removed.push(`0 ${'0'.repeat(sha.length)}\t${path}\0`);
    if (stage === '1') continue;
    const name = isByGit ? path : `${path}~${side}`;
    aside.push(name);
    added.push(`${mode} ${sha}\t${name}\0`);
  }
  if (entries.length === 0) return { tree, aside };
  return withScratchIndex(clone, async (env) => {
    const input = Buffer.from([...removed, ...added].join(''), 'latin1');
    await clone.git(['read-tree', tree], { env, signal });
    await clone.git(['update-index', '-z', '--index-info'], { env, signal, input });
    return { tree: await clone.text(['write-tree'], { env, signal }), aside };
  });
}

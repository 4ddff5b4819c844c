import type { DecreeClone } from './decree-clone.ts';

/** A commit on the forge. The clone need not have it: its tree and parents are enough. */
export interface CommitSketch {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/** The paths that git cannot merge between two commits, after a fresh fetch; empty if it can. */
export async function findConflicts(
  clone: DecreeClone,
  ours: CommitSketch,
  theirsSHA: string,
  signal: AbortSignal,
): Promise<string[]> {
  await clone.prepare();
  await clone.fetch(signal);
  const known = await clone.resolve(ours.sha);
  const parents = ours.parents.flatMap((parent) => ['-p', parent]);
  const oursSHA = known?.commit ?? (await clone.text(['commit-tree', ours.tree, ...parents, '-m', 'ours'], { signal }));
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', oursSHA, theirsSHA];
  const output = await clone.git(args, { signal, exitCodes: [0, 1] });
  // The tree comes first; it holds conflict markers, and nobody wants it.
  const [, ...paths] = output.toString('utf8').split('\0').slice(0, -1);
  return [...new Set(paths.map((path) => originalPath(path, [oursSHA, theirsSHA])))];
}

/** Where one side has a file and the other a folder, git lists the file as `<path>~<commit>`. */
export function originalPath(path: string, commits: readonly string[]): string {
  const commit = commits.find((sha) => path.includes(`~${sha}`));
  return commit === undefined ? path : path.slice(0, path.lastIndexOf(`~${commit}`));
}

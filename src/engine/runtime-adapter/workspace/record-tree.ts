import { existsSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from '../../../git/git-error.ts';
import { addAll } from './add-all.ts';
import type { DecreeClone, Snapshot } from './decree-clone.ts';

export interface RecordedFolder {
  readonly folder: string;
  /** The worktree's own index. It is read, never written. */
  readonly indexFile: string;
  /** What the worktree started from. */
  readonly start: Snapshot;
}

/**
 * The tree that `git add --all` would make of a folder: everything that is not ignored, committed or not, and ignored
 * files that were added all the same. Rejects if a file cannot be read: a tree with holes would publish deletions.
 */
export async function recordTree(clone: DecreeClone, recorded: RecordedFolder, signal?: AbortSignal): Promise<string> {
  const { folder, start } = recorded;
  return withScratchIndex(clone, async (env) => {
    const options = { env, ...(signal && { signal }) };
    const fill = (entries: readonly string[]) =>
      clone.git(['update-index', '-z', '--index-info'], { ...options, input: Buffer.from(entries.join(''), 'latin1') });
    const tracked = await listIndex(clone, recorded, signal);
    if (tracked === null) await clone.git(['read-tree', start.commit], options);
    else await fill(tracked.map(({ line }) => line));
    await addAll(clone, folder, options);
    const absent = (tracked ?? []).filter(({ path, isSkipped }) => isSkipped && !existsSync(join(folder, path)));
    if (absent.length > 0) await fill(absent.map(({ line }) => line));
    return clone.text(['write-tree'], options);
  });
}

/**
 * The tree that the agent's work begins with: what set-up has left, and what git makes of files that were checked out
 * under attributes (line ends, encodings) without ever having been stored under them. Neither is the agent's change.
 */
export async function recordSetUp(
  clone: DecreeClone,
  recorded: RecordedFolder,
  isSetUp: boolean,
  signal: AbortSignal,
): Promise<string> {
  const { start } = recorded;
  if (isSetUp || (await hasAttributes(clone, start))) return recordTree(clone, recorded, signal);
  return start.tree;
}

async function hasAttributes(clone: DecreeClone, { tree }: Snapshot): Promise<boolean> {
  const names = await clone.git(['ls-tree', '-r', '-z', '--name-only', tree]);
  return `\0${names.toString('latin1')}`.replaceAll('/', '\0').includes('\0.gitattributes\0');
}

/** Runs git on an index of its own, which is gone afterwards. */
export async function withScratchIndex<T>(
  clone: DecreeClone,
  use: (env: { GIT_INDEX_FILE: string }) => Promise<T>,
): Promise<T> {
  const scratch = join(clone.gitDir, `index-${crypto.randomUUID()}`);
  try {
    return await use({ GIT_INDEX_FILE: scratch });
  } finally {
    await rm(scratch, { force: true });
    await rm(`${scratch}.lock`, { force: true });
  }
}

interface TrackedFile {
  readonly path: string;
  /** Not checked out on purpose (`git sparse-checkout`): not there does not mean deleted. */
  readonly isSkipped: boolean;
  /** For `git update-index --index-info`. */
  readonly line: string;
}

/**
 * What the agent's index tracks, without the rest of what is in there: flags that hide changes (`assume-unchanged`,
 * `skip-worktree`), cached file times, and the sides of a conflict. Null if the index cannot be read.
 */
async function listIndex(
  clone: DecreeClone,
  { folder, indexFile }: RecordedFolder,
  signal: AbortSignal | undefined,
): Promise<TrackedFile[] | null> {
  if (!(await isFile(indexFile))) return null;
  const options = { worktree: folder, env: { GIT_INDEX_FILE: indexFile }, ...(signal && { signal }) };
  const listed = await clone.git(['ls-files', '-t', '--stage', '-z'], options).catch((error: unknown) => {
    if (error instanceof GitError) return null;
    throw error;
  });
  // latin1 keeps the bytes of names that are not UTF-8.
  const entries = listed?.toString('latin1').matchAll(/(\S) (\d+ \w+) [0-3]\t([^\0]*)\0/g);
  return entries === undefined ? null : [...entries].map(toTrackedFile);
}

/** Git would wait for ever on a pipe. */
export async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function toTrackedFile([, tag = '', blob = '', path = '']: readonly string[]): TrackedFile {
  return { path: Buffer.from(path, 'latin1').toString(), isSkipped: tag === 'S', line: `${blob} 0\t${path}\0` };
}

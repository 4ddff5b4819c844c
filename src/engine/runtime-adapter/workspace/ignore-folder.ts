import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Keeps a folder of ours out of the user's `git status`, without touching any file of theirs. */
export async function ignoreFolder(folder: string): Promise<void> {
  try {
    await writeFile(join(folder, '.gitignore'), IGNORE_ALL, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Removes a folder in which nothing is left but what `ignoreFolder` put there. */
export async function removeIgnoredFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => ['gone already']);
  if (names.some((name) => name !== '.gitignore')) return;
  const content = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => IGNORE_ALL);
  if (content === IGNORE_ALL) await rm(folder, { recursive: true, force: true });
}

const IGNORE_ALL = '*\n';

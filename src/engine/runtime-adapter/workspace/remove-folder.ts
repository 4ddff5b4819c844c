import { chmod, lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Removes a folder with everything in it, also where tools have made parts of it read-only. Absent is fine. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, REMOVE);
  } catch (error) {
    if (!isDenied(error)) throw error;
    await makeWritable(path);
    await rm(path, REMOVE);
  }
}

/** Removes the empty folders above `path`, up to but without `top`. */
export async function removeEmptyParents(path: string, top: string): Promise<void> {
  for (let folder = dirname(path); folder.startsWith(`${top}/`); folder = dirname(folder)) {
    if (!(await removeIfEmpty(folder))) return;
  }
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

// A process that has not quite ended may still add a file while its folder is being emptied.
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

async function makeWritable(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await makeWritable(join(path, name));
}

function isDenied(error: unknown): boolean {
  return hasCode(error, 'EACCES') || hasCode(error, 'EPERM') || hasCode(error, 'ENOTEMPTY');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

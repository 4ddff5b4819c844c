import { lstat } from 'node:fs/promises';

/** Whether anything is there; a link counts, wherever it leads. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether there is a folder; a link to one is none. */
export async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

import { lstat } from 'node:fs/promises';

/** Whether anything is there; a link counts, wherever it leads. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

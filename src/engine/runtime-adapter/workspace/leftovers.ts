import { lstat, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock, Logger } from '../../ports.ts';
import type { DecreeClone } from './decree-clone.ts';
import { readMarker, THIS_PROCESS } from './run-marker.ts';
import { saveWork } from './save-work.ts';
import { findAdminFolder, headOf, listWorktrees, removeWorktree } from './worktree.ts';

/** What earlier runs left where they were interrupted. Their work is saved before anything is removed. */
export interface Leftovers {
  /**
   * Makes room for a worktree at `folder`. On the first call also takes care of all worktrees that a process which
   * is gone has left. Rejects if something cannot be saved or removed, or is not decree's to remove.
   */
  clear(folder: string): Promise<void>;
}

export function createLeftovers(
  clone: DecreeClone,
  top: string,
  deps: { readonly clock: Clock; readonly logger: Logger },
): Leftovers {
  let isSwept = false;

  async function clear(folder: string): Promise<void> {
    if (!isSwept) await sweep();
    isSwept = true;
    for (const path of pathsBetween(top, folder)) {
      const isLast = path === folder;
      if ((isLast && (await exists(path))) || (await exists(join(path, '.git')))) await saveAndRemove(path);
    }
    const adminFolder = await findAdminFolder(clone, folder);
    if (adminFolder !== null) await rm(adminFolder, { recursive: true, force: true });
  }

  async function sweep(): Promise<void> {
    for (const { folder, adminFolder } of await listWorktrees(clone)) {
      const marker = await readMarker(adminFolder);
      if (marker === null || marker.owner === THIS_PROCESS) continue;
      try {
        await saveAndRemove(folder);
      } catch (error) {
        deps.logger.warn({ err: error, folder, sessionID: marker.sessionID }, 'interrupted run could not be cleared');
      }
    }
  }

  async function saveAndRemove(folder: string): Promise<void> {
    const adminFolder = await findAdminFolder(clone, folder);
    if (adminFolder === null) await refuseForeign(folder);
    const marker = adminFolder === null ? null : await readMarker(adminFolder);
    const name = marker?.sessionID ?? `leftover-${deps.clock.now()}-${crypto.randomUUID().slice(0, 8)}`;
    const savedRef = await saveWork(clone, {
      folder,
      ref: `refs/decree/runs/${name}`,
      head: adminFolder === null ? null : await headOf(clone, adminFolder),
      start: marker?.start ?? null,
      indexFile: adminFolder === null ? null : join(adminFolder, 'index'),
    });
    await removeWorktree(clone, top, { folder, branch: null }, { keepBranch: false });
    deps.logger.warn({ folder, savedRef }, 'leftover of an interrupted run was removed');
  }

  return { clear };
}

/** A folder with a `.git` that does not lead to decree's clone is somebody's own work. */
async function refuseForeign(folder: string): Promise<void> {
  if (!(await exists(join(folder, '.git')))) return;
  throw new Error(
    `${folder} belongs to another git repository, so decree does not remove it; ` +
      'move it away (git worktree move, or git worktree remove) and try again',
  );
}

/** `a/b` below `top`: `top/a`, then `top/a/b`. */
function pathsBetween(top: string, folder: string): string[] {
  return folder === top || !folder.startsWith(top) ? [] : [...pathsBetween(top, dirname(folder)), folder];
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Clock, Logger } from '../../ports.ts';
import { isBranchName } from './branch-name.ts';
import type { DecreeClone } from './decree-clone.ts';
import { pathExists } from './path-exists.ts';
import { readMarker, THIS_PROCESS } from './run-marker.ts';
import { saveWork } from './save-work.ts';
import { findAdminFolder, headOf, listWorktrees, removeWorktree } from './worktree.ts';

/** What earlier runs left where they were interrupted. Their work is saved before anything is removed. */
export interface Leftovers {
  /**
   * Makes room for a worktree at `folder`; takes care of all others that can be, first. Rejects if something there cannot be
   * saved or removed, or is not decree's to remove.
   */
  clear(folder: string): Promise<void>;
  /** Says that a run of this process has ended and its worktree could not be saved and removed: `clear` tries again. */
  abandon(folder: string): void;
  /** Takes care of all worktrees that a process which is gone has left. Does so once. */
  sweep(): Promise<void>;
}

export function createLeftovers(
  clone: DecreeClone,
  top: string,
  deps: { readonly clock: Clock; readonly logger: Logger },
): Leftovers {
  let isSwept = false;
  const abandoned = new Set<string>();

  async function clear(folder: string): Promise<void> {
    await sweep();
    for (const left of abandoned) await attempt(left);
    for (const parent of pathsBetween(top, dirname(folder))) {
      if (await pathExists(join(parent, '.git'))) await saveAndRemove(parent);
    }
    const isKnown = (await findAdminFolder(clone, folder)) !== null;
    if (isKnown || (await pathExists(folder))) await saveAndRemove(folder);
  }

  async function sweep(): Promise<void> {
    if (isSwept) return;
    isSwept = true;
    for (const { folder, adminFolder } of await listWorktrees(clone)) {
      // One without a marker was being made when its process was killed: ours are made one at a time, and not now.
      const marker = await readMarker(adminFolder);
      if (marker?.owner === THIS_PROCESS || !(await isInside(top, folder))) continue;
      await attempt(folder);
    }
  }

  async function attempt(folder: string): Promise<void> {
    try {
      await saveAndRemove(folder);
    } catch (error) {
      deps.logger.warn({ err: error, folder }, 'leftover of a run could not be cleared');
    }
  }

  async function saveAndRemove(folder: string): Promise<void> {
    const adminFolder = await findAdminFolder(clone, folder);
    if (adminFolder === null) await refuseForeign(folder);
    const marker = adminFolder === null ? null : await readMarker(adminFolder);
    const isNamed = marker !== null && isBranchName(marker.sessionID);
    const name = isNamed ? marker.sessionID : `leftover-${deps.clock.now()}-${crypto.randomUUID().slice(0, 8)}`;
    const savedRef = await saveWork(clone, {
      folder,
      ref: `refs/decree/runs/${name}`,
      head: adminFolder === null ? null : await headOf(clone, adminFolder),
      start: marker?.start ?? null,
      indexFile: adminFolder === null ? null : join(adminFolder, 'index'),
    });
    await removeWorktree(clone, top, { folder, adminFolder, branch: null }, { keepBranch: false });
    // The next run in this place is alive.
    abandoned.delete(folder);
    deps.logger.warn({ folder, savedRef }, 'leftover of an interrupted run was removed');
  }

  return { clear, sweep, abandon: (folder) => void abandoned.add(folder) };
}

/** A folder with a `.git` that does not lead to decree's clone is somebody's own work. */
async function refuseForeign(folder: string): Promise<void> {
  if (!(await pathExists(join(folder, '.git')))) return;
  throw new Error(
    `${folder} belongs to another git repository, so decree does not remove it; ` +
      'move it away (git worktree move, or git worktree remove) and try again',
  );
}

/**
 * What git says about where a worktree is could have been changed by an agent. Nothing outside our own folder is ever
 * removed, whatever it says and wherever links lead.
 */
async function isInside(top: string, folder: string): Promise<boolean> {
  const realTop = await realpath(top).catch(() => resolve(top));
  const real = await realpath(folder).catch(() => resolve(folder));
  return real.startsWith(`${realTop}/`);
}

/** `a/b` below `top`: `top/a`, then `top/a/b`. */
function pathsBetween(top: string, folder: string): string[] {
  return folder === top || !folder.startsWith(top) ? [] : [...pathsBetween(top, dirname(folder)), folder];
}

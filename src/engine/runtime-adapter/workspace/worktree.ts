import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isBranchName } from './branch-name.ts';
import type { DecreeClone, Snapshot } from './decree-clone.ts';
import { ignoreFolder, removeIgnoredFolder } from './ignore-folder.ts';
import { readText } from './read-text.ts';
import { removeEmptyParents, removeFolder } from './remove-folder.ts';
import { THIS_PROCESS, writeMarker } from './run-marker.ts';

export interface WorktreeRequest {
  readonly sessionID: string;
  readonly folder: string;
  /** The branch to make or reset; null for a detached worktree. */
  readonly branch: string | null;
  readonly start: Snapshot;
}

/** A worktree of decree's clone. Git keeps its HEAD and index in an administrative folder inside the clone. */
export interface Worktree extends WorktreeRequest {
  readonly adminFolder: string;
  readonly indexFile: string;
}

/** Makes a worktree; the folder must not exist. Rejects with nothing left behind. */
export async function addWorktree(
  clone: DecreeClone,
  top: string,
  request: WorktreeRequest,
  signal: AbortSignal,
): Promise<Worktree> {
  const { folder, branch, start, sessionID } = request;
  const kind = branch === null ? ['--detach'] : ['-B', branch];
  await mkdir(top, { recursive: true });
  await ignoreFolder(top);
  try {
    // --force: git may still believe the branch to be in use by a worktree whose folder is gone.
    await clone.git(['worktree', 'add', '--quiet', '--force', ...kind, folder, start.commit], { signal });
    const adminFolder = await findAdminFolder(clone, folder);
    if (adminFolder === null) throw new Error(`git made no worktree at ${folder}`);
    await writeMarker(adminFolder, { sessionID, owner: THIS_PROCESS, start });
    return { ...request, adminFolder, indexFile: join(adminFolder, 'index') };
  } catch (error) {
    const adminFolder = await findAdminFolder(clone, folder);
    await removeWorktree(clone, top, { folder, adminFolder, branch }, { keepBranch: false });
    throw error;
  }
}

/**
 * Removes folder, administrative folder, the branch and the one that the agent may have switched to. Whatever of them
 * is missing is fine. No agent may be at work there.
 */
export async function removeWorktree(
  clone: DecreeClone,
  top: string,
  { folder, adminFolder, branch }: Pick<WorktreeRequest, 'folder' | 'branch'> & { readonly adminFolder: string | null },
  options: { keepBranch: boolean },
): Promise<void> {
  const branches = new Set([branch, adminFolder === null ? null : await branchOf(adminFolder)]);
  await removeFolder(folder);
  if (adminFolder !== null) await removeFolder(adminFolder);
  await removeEmptyParents(folder, top);
  await removeIgnoredFolder(top);
  for (const name of branches) {
    if (name !== null && !options.keepBranch) await deleteBranch(clone, name);
  }
}

async function deleteBranch(clone: DecreeClone, branch: string): Promise<void> {
  // Left by a git that was killed in the middle of a commit.
  await rm(join(clone.gitDir, `refs/heads/${branch}.lock`), { force: true });
  await clone.git(['update-ref', '-d', `refs/heads/${branch}`]);
}

export interface KnownWorktree {
  readonly folder: string;
  readonly adminFolder: string;
}

/** Every worktree that the clone knows, also those whose folder is gone. */
export async function listWorktrees(clone: DecreeClone): Promise<KnownWorktree[]> {
  const parent = join(clone.gitDir, 'worktrees');
  const worktrees: KnownWorktree[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const adminFolder = join(parent, name);
    const gitFile = await readText(join(adminFolder, 'gitdir'));
    if (gitFile !== null) worktrees.push({ adminFolder, folder: dirname(gitFile.trim()) });
  }
  return worktrees;
}

export async function findAdminFolder(clone: DecreeClone, folder: string): Promise<string | null> {
  const real = await realpath(folder).catch(() => folder);
  const worktrees = await listWorktrees(clone);
  return worktrees.find((known) => known.folder === folder || known.folder === real)?.adminFolder ?? null;
}

/** The newest commit in a worktree, or null if it has none that can be read. */
export async function headOf(clone: DecreeClone, adminFolder: string): Promise<string | null> {
  const head = (await readText(join(adminFolder, 'HEAD'))) ?? '';
  const name = head.trim().replace(/^ref: /, '');
  return /^(?:refs\/heads\/.+|[0-9a-f]{40,64})$/.test(name) ? ((await clone.resolve(name))?.commit ?? null) : null;
}

async function branchOf(adminFolder: string): Promise<string | null> {
  const head = (await readText(join(adminFolder, 'HEAD'))) ?? '';
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
  return branch !== null && isBranchName(branch) ? branch : null;
}

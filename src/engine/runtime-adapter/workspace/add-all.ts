import type { DecreeClone } from './decree-clone.ts';

export interface AddAllOptions {
  /** The index to fill. */
  readonly env: { readonly GIT_INDEX_FILE: string };
  /** Leaves out files that cannot be read, instead of rejecting. */
  readonly ignoreErrors?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * `git add --all`, without asking repositories inside the folder. Git runs `git status` in each one that its index
 * knows as a submodule, and with it whatever programs that repository's own settings name. Submodules stay as the
 * index has them.
 */
export async function addAll(clone: DecreeClone, folder: string, options: AddAllOptions): Promise<void> {
  const git = { env: options.env, ...(options.signal && { signal: options.signal }) };
  const fill = (entries: readonly string[]) =>
    clone.git(['update-index', '-z', '--index-info'], { ...git, input: Buffer.from(entries.join(''), 'latin1') });
  const staged = (await clone.git(['ls-files', '--stage', '-z'], git)).toString('latin1');
  const submodules = [...staged.matchAll(/160000 (\w+) [0-3]\t([^\0]*)\0/g)];
  if (submodules.length > 0) await fill(submodules.map(([, , path = '']) => `0 ${NOTHING}\t${path}\0`));
  const [flags, exitCodes] = options.ignoreErrors === true ? [['--ignore-errors'], [0, 1]] : [[], [0]];
  await clone.git(['add', '--all', ...flags, '.'], { ...git, worktree: folder, exitCodes });
  if (submodules.length > 0) await fill(submodules.map(([, sha = '', path = '']) => `160000 ${sha}\t${path}\0`));
}

const NOTHING = '0'.repeat(40);

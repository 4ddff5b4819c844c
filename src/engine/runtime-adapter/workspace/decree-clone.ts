import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialEnvironment } from '../../../git/git-environment.ts';
import { GitError } from '../../../git/git-error.ts';
import type { GitOptions, GitOutput } from '../../../git/run-git.ts';
import { runGit, textOf } from '../../../git/run-git.ts';
import type { GitAccess } from '../../ports.ts';
import { cacheIn, PLACEHOLDERS, PLACEHOLDERS_FILE } from '../guards/sandbox-rules.ts';
import { forgetOldWork } from './forget-old-work.ts';
import { ignoreFolder } from './ignore-folder.ts';
import { createMutex } from './mutex.ts';
import type { Mutex } from './mutex.ts';
import { fetchFailure } from './fetch-failure.ts';
import { isFolder, pathExists } from './path-exists.ts';
import { readText } from './read-text.ts';
import { shareWork } from './share-work.ts';

/**
 * decree's own bare clone, `.decree/repo.git`. The forge's branches are at `refs/remotes/origin/*`, agents' branches at
 * `refs/heads/*`, unfinished work at `refs/decree/runs/*`. No remote is configured: an agent has nowhere to push to.
 */
export interface DecreeClone {
  readonly gitDir: string;
  /** Makes the clone if it is missing and puts its settings right. To be called before each use: agents can reach it. */
  prepare(): Promise<void>;
  /**
   * Removes what nobody needs any more, if it is time: at most once a day. Agents' git never does, since that would get in
   * the way of other runs. Their commits under way are safe: git keeps what is young.
   */
  tidyUp(): Promise<void>;
  /**
   * Runs a change to what all worktrees share (fetching, making and removing worktrees), one at a time: git stumbles
   * over a worktree that is half made or half removed.
   */
  readonly oneAtATime: Mutex;
  /**
   * Brings `refs/remotes/origin/*` to what the forge has now. Callers at the same time share one fetch. Rejects with
   * ProviderError if the forge did not let us, as `fetchCommit` does.
   */
  fetch(signal: AbortSignal): Promise<void>;
  /** Fetches one commit that no branch leads to any more. */
  fetchCommit(sha: string, signal: AbortSignal): Promise<void>;
  /** The commit and tree that a name stands for, or null. */
  resolve(name: string): Promise<Snapshot | null>;
  /** Git on the clone itself, or on a folder with the clone as its repository (`worktree`). */
  git(args: readonly string[], options?: CloneGitOptions): Promise<Buffer>;
  text(args: readonly string[], options?: CloneGitOptions): Promise<string>;
}

export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
}

interface CloneGitOptions extends Omit<GitOptions, 'cwd'> {
  readonly worktree?: string;
}

export function createDecreeClone(
  repoRoot: string,
  gitAccess: () => Promise<GitAccess>,
  patienceMs = PATIENCE_MS,
  now: () => number = Date.now,
): DecreeClone {
  const oneAtATime = createMutex();
  const home = join(repoRoot, '.decree');
  const gitDir = join(home, 'repo.git');
  let made: Promise<void> | null = null;
  let tidiedAt: number | null = null;

  async function make(): Promise<void> {
    await mkdir(gitDir, { recursive: true });
    await mkdir(cacheIn(repoRoot), { recursive: true });
    await ignoreFolder(home);
    await removeStaleLocks(gitDir);
    await removeHalfPacks(gitDir);
    await restoreSettings(gitDir);
    await runGit(['init', '--quiet', '--bare', '--template=', gitDir], { cwd: home });
  }

  async function tidyUp(): Promise<void> {
    // A clock that was set back says nothing about how long ago it was.
    if (tidiedAt !== null && Math.abs(now() - tidiedAt) < TIDY_EACH_MS) return;
    tidiedAt = now();
    await forgetOldWork(gitDir, now());
    // Failing costs nothing but space.
    const collect = ['-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];
    await runGit(collect, { ...located(), exitCodes: [0, 1, 128, 255] });
  }

  async function prepare(): Promise<void> {
    made ??= make();
    try {
      await made;
    } catch (error) {
      made = null;
      throw error;
    }
    await restoreSettings(gitDir);
  }

  function located({ worktree, env, ...rest }: CloneGitOptions = {}): GitOptions {
    // Named explicitly, since a worktree's own `.git` file could lead anywhere after an agent was there, and so could a
    // file `commondir` in the clone, together with settings that run programs.
    const repository = { GIT_DIR: gitDir, GIT_COMMON_DIR: gitDir };
    const location = worktree === undefined ? repository : { ...repository, GIT_WORK_TREE: worktree };
    return { ...rest, cwd: worktree ?? gitDir, env: { ...location, ...env } };
  }

  /** Git waits for ever on a pipe that an agent made where a file should be. */
  async function limited(args: readonly string[], options: CloneGitOptions = {}): Promise<GitOutput> {
    const limit = AbortSignal.timeout(patienceMs);
    const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
    try {
      return await runGit(args, located({ ...options, signal }));
    } catch (error) {
      if (!limit.aborted || options.signal?.aborted === true) throw error;
      throw new Error(
        `git ${args[0] ?? ''} in ${options.worktree ?? gitDir} did not end within ${patienceMs / 1000} s and was stopped; ` +
          'look for named pipes among its files',
        { cause: error },
      );
    }
  }

  async function fetchRefs(refspec: string, signal: AbortSignal, attempt = 1): Promise<void> {
    const access = await gitAccess();
    const options = ['--quiet', '--no-tags', '--prune', '--no-write-fetch-head'];
    const env = { ...credentialEnvironment(access), ...GIVE_UP_WHEN_STUCK };
    try {
      await runGit(['fetch', ...options, '--', access.url, refspec], located({ signal, env }));
    } catch (error) {
      await removeHalfPacks(gitDir);
      // Somebody else on this clone (another adapter, a person) was making or removing a worktree at that moment.
      const isPassing = error instanceof GitError && /bad object worktrees\//.test(error.stderr);
      if (!isPassing || attempt === FETCH_ATTEMPTS) throw fetchFailure(error);
      await fetchRefs(refspec, signal, attempt + 1);
    }
  }

  return {
    gitDir,
    prepare,
    tidyUp: () => oneAtATime(tidyUp),
    oneAtATime,
    fetch: shareWork((signal) => oneAtATime(() => fetchRefs('+refs/heads/*:refs/remotes/origin/*', signal))),
    fetchCommit: (sha, signal) => oneAtATime(() => fetchRefs(sha, signal)),
    resolve: async (name) => {
      const args = ['log', '-1', '--no-show-signature', '--format=%H %T', '--end-of-options', name, '--'];
      const { stdout, exitCode } = await runGit(args, { ...located(), exitCodes: [0, 128] });
      const [commit, tree] = stdout.toString('utf8').trim().split(' ');
      return exitCode === 0 && commit !== undefined && tree !== undefined ? { commit, tree } : null;
    },
    git: async (args, options) => (await limited(args, options)).stdout,
    text: async (args, options) => textOf(await limited(args, options)),
  };
}

const FETCH_ATTEMPTS = 5;

const TIDY_EACH_MS = 24 * 60 * 60 * 1000;

/** Less than a byte a second for a minute: all other runs wait for this fetch. */
const GIVE_UP_WHEN_STUCK = { GIT_HTTP_LOW_SPEED_LIMIT: '1', GIT_HTTP_LOW_SPEED_TIME: '60' };

/** Far more than git takes on the largest repositories, fetching aside. */
const PATIENCE_MS = 600_000;

/** A lock from before this process was left by a git that was killed: the engine is the only one at work here. */
async function removeStaleLocks(gitDir: string): Promise<void> {
  for (const name of await readdir(gitDir)) {
    const path = join(gitDir, name);
    if (name.endsWith('.lock') && (await stat(path)).mtimeMs < performance.timeOrigin) await rm(path, { force: true });
  }
}

/** What a fetch that failed has left of what it received: on a full disk it is what fills it. No other fetch is under way. */
async function removeHalfPacks(gitDir: string): Promise<void> {
  const packs = join(gitDir, 'objects/pack');
  for (const name of await readdir(packs).catch(() => [])) {
    if (name.startsWith('tmp_')) await rm(join(packs, name), { force: true });
  }
}

async function restoreSettings(gitDir: string): Promise<void> {
  await restoreFile(join(gitDir, 'config'), SETTINGS);
  await restoreFile(join(gitDir, PLACEHOLDERS_FILE), PLACEHOLDERS);
  for (const name of FOREIGN) await rm(join(gitDir, name), { recursive: true, force: true });
  // An agent's sandbox can only keep it from writing what is there.
  for (const name of SHUT) await mkdir(join(gitDir, name), { recursive: true });
  if (!(await pathExists(join(gitDir, 'packed-refs')))) await writeFile(join(gitDir, 'packed-refs'), '');
}

/**
 * Attributes, excludes and grafts kept here would apply to every worktree; the others say where settings and commits are
 * to be found, or which of them there are.
 */
const FOREIGN = ['info', 'commondir', 'config.worktree', 'shallow'];

/** What other runs start from, and what is left of them. */
const SHUT = ['refs/remotes', 'refs/decree'];

async function restoreFile(path: string, content: string): Promise<void> {
  if ((await readText(path)) === content) return;
  const draft = `${path}.${crypto.randomUUID()}`;
  await writeFile(draft, content);
  // A folder in its place would stay where it is.
  if (await isFolder(path)) await rm(path, { recursive: true });
  await rename(draft, path);
}

/** Agents commit with these too. Locks are waited for: they are held for moments only. */
const SETTINGS = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	packedRefsTimeout = 10000
	filesRefLockTimeout = 10000${process.platform === 'darwin' ? '\n\tignorecase = true\n\tprecomposeunicode = true' : ''}
[user]
	name = decree agent
	email = agent@decree.invalid
[commit]
	gpgSign = false
[gc]
	auto = 0
[maintenance]
	auto = false
[push]
	default = nothing
`;

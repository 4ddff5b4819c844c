import { join } from 'node:path';
import { unreadablePaths } from './protected-paths.ts';

/** What commands in the sandbox can reach, as absolute paths. Whatever is not listed can be read and not written. */
export interface SandboxRules {
  readonly denyRead: readonly string[];
  /** Exceptions below `denyRead`. */
  readonly allowRead: readonly string[];
  readonly allowWrite: readonly string[];
  /** Exceptions below `allowWrite`, and below what the SDK adds to it: all of the clone that a worktree belongs to. */
  readonly denyWrite: readonly string[];
}

export interface SandboxedRun {
  /** The user's checkout. */
  readonly repoRoot: string;
  /** The run's folder. */
  readonly folder: string;
  /** Where git keeps the HEAD and index of the run's folder; null if the run commits nothing. */
  readonly adminFolder: string | null;
  readonly home: string | undefined;
  /** Where Claude keeps its login, if not at home. */
  readonly claudeFolder?: string | undefined;
  /** More that must stay unreadable: the forge's key file. */
  readonly unreadable?: readonly string[] | undefined;
}

/**
 * The rules for everything on an agent's behalf. Of decree's clone a run needs what a commit takes; it must not write what
 * the engine's own git obeys (settings and hooks, which the SDK protects itself) or what other runs start from.
 */
export function sandboxRules(run: SandboxedRun): SandboxRules {
  const clone = cloneIn(run.repoRoot);
  const cache = cacheIn(run.repoRoot);
  const committing =
    run.adminFolder === null ? [] : [join(clone, 'objects'), join(clone, 'refs/heads'), run.adminFolder];
  const claude = run.claudeFolder ?? (run.home === undefined ? null : join(run.home, '.claude'));
  return {
    denyRead: [
      ...unreadablePaths(run.repoRoot, run.home),
      ...(run.folder === run.repoRoot ? [] : unreadablePaths(run.folder, undefined)),
      ...(claude === null ? [] : ['.credentials.json', 'history.jsonl', 'projects'].map((name) => join(claude, name))),
      ...(run.unreadable ?? []),
    ],
    allowRead: [clone, cache],
    allowWrite: [...committing, cache],
    denyWrite: ['HEAD', 'packed-refs', 'refs/remotes', 'refs/decree', PLACEHOLDERS_FILE].map((name) =>
      join(clone, name),
    ),
  };
}

/**
 * What programs in the sandbox need to know: caches that they may write, and for git the names at which the sandbox
 * shows devices instead of files that do not exist; `git add` would stumble over them.
 */
export function sandboxEnvironment(repoRoot: string): Record<string, string> {
  const cache = cacheIn(repoRoot);
  return {
    XDG_CACHE_HOME: cache,
    npm_config_cache: join(cache, 'npm'),
    npm_config_store_dir: join(cache, 'pnpm'),
    YARN_CACHE_FOLDER: join(cache, 'yarn'),
    YARN_GLOBAL_FOLDER: join(cache, 'yarn-global'),
    BUN_INSTALL_CACHE_DIR: join(cache, 'bun'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.excludesFile',
    GIT_CONFIG_VALUE_0: join(cloneIn(repoRoot), PLACEHOLDERS_FILE),
  };
}

/** Shared by all runs, and by them alone: a user's own caches are out of their reach. */
export function cacheIn(repoRoot: string): string {
  return join(repoRoot, '.decree', 'cache');
}

function cloneIn(repoRoot: string): string {
  return join(repoRoot, '.decree', 'repo.git');
}

/** In decree's clone. */
export const PLACEHOLDERS_FILE = 'sandbox-placeholders';

/** Git's patterns for what the SDK's sandbox puts into the working folder. Files that are tracked are not affected. */
export const PLACEHOLDERS = [
  '.bash_profile',
  '.bashrc',
  '.claude/',
  '.gitconfig',
  '.gitmodules',
  '.idea',
  '.mcp.json',
  '.profile',
  '.ripgreprc',
  '.vscode',
  '.zprofile',
  '.zshrc',
]
  .map((name) => `/${name}\n`)
  .join('');

import { execFileSync } from 'node:child_process';
import type { Logger } from './ports.ts';

/**
 * The root of the git repository around the current folder. Synchronous, because an engine is made synchronously. The
 * current folder itself will not do: in a workspace it is a package's.
 */
export function findRepoRoot(logger: Logger): string {
  try {
    return execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch (error) {
    const [message, advice] = explain(error);
    logger.error({ err: error }, message);
    throw new Error(`${message} ${advice}`, { cause: error });
  }
}

function explain(error: unknown): readonly [message: string, advice: string] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return ['git could not be started.', 'Install git 2.38 or newer and make sure that it is on PATH.'];
  }
  const message = 'decree must run inside a git repository: `git rev-parse --show-toplevel` failed here.';
  return [message, 'Change into a checkout (a bare repository has none), or pass `repoRoot`.'];
}

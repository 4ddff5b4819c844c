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
    const message = 'decree must run inside a git repository: `git rev-parse --show-toplevel` failed here.';
    logger.error({ err: error }, message);
    throw new Error(`${message} Change into one, or pass \`repoRoot\`.`, { cause: error });
  }
}

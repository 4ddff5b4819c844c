import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { LoadedConfig } from '../../config/load-config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { GitError } from '../../git/git-error.ts';
import { runGitText } from '../../git/run-git.ts';
import { CLIError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';

export interface ProjectPlace extends LoadedConfig {
  readonly repoRoot: string;
}

/** The repository around a folder, and its configuration. Rejects with CLIError or ConfigError. */
export async function findProject(cwd: string): Promise<ProjectPlace> {
  const repoRoot = await findRoot(cwd);
  return { repoRoot, ...(await loadConfig(repoRoot)) };
}

export async function findRoot(cwd: string): Promise<string> {
  refuseAgentFolder(realpathSync(cwd));
  try {
    return await runGitText(['rev-parse', '--show-toplevel'], { cwd });
  } catch (cause) {
    if (cause instanceof GitError && /must be run in a work tree/.test(cause.stderr)) {
      throw new CLIError(
        `${cwd} belongs to a bare repository, or is inside a .git folder: decree needs a checkout.`,
        'Clone the repository and run decree in the clone.',
        { exitCode: EXIT.usage, cause },
      );
    }
    if (cause instanceof GitError && cause.exitCode !== null) {
      throw new CLIError(
        `${cwd} is not inside a git repository.`,
        'Change into one, or make one with `git init`. `decree demo` works anywhere.',
        { exitCode: EXIT.usage, cause },
      );
    }
    throw new CLIError('git could not be started.', 'Install git 2.38 or newer and make sure that it is on PATH.', {
      exitCode: EXIT.usage,
      cause,
    });
  }
}

/** A configuration is code that runs as you. In the folder of a run it would be the agent's, whatever repository it is in. */
function refuseAgentFolder(folder: string): void {
  const parts = folder.split(path.sep);
  const roots = parts.flatMap((part, at) => (part === '.worktrees' ? [parts.slice(0, at).join(path.sep)] : []));
  const root = roots.find((candidate) => existsSync(placesIn(candidate).home));
  if (root === undefined) return;
  throw new CLIError(
    `${folder} is the folder of an agent's run, with a configuration that the agent can write.`,
    `Change to ${root}.`,
    { exitCode: EXIT.usage },
  );
}

/** decree's own files in a repository. */
export function placesIn(repoRoot: string) {
  const home = path.join(repoRoot, '.decree');
  return {
    home,
    journal: path.join(home, 'journal.db'),
    socket: path.join(home, 'engine.sock'),
    log: path.join(home, 'decree.log'),
    forge: path.join(home, 'forge'),
  };
}

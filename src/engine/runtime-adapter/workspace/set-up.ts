import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';

export interface SetUpOptions {
  readonly folder: string;
  /** A command, `false` for none, undefined to find one by the lockfile. */
  readonly command: string | false | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** See `CommandOptions`. */
  readonly launcher?: readonly string[];
  readonly signal: AbortSignal;
}

/** Makes a new worktree ready to build and test. Returns whether anything ran. Rejects if the command fails. */
export async function setUp({ folder, command, environment, launcher, signal }: SetUpOptions): Promise<boolean> {
  const chosen = command === undefined ? await detectSetUpCommand(folder) : command;
  if (chosen === false) return false;
  const { exitCode, output } = await runCommand(chosen, { cwd: folder, env: environment, launcher, signal });
  if (exitCode === 0) return true;
  const outcome = exitCode === null ? 'was ended by a signal' : `failed with exit code ${exitCode}`;
  throw new Error(
    `setting up the worktree with "${chosen}" ${outcome}; ` +
      `set agents.setupCommand to another command, or to false for none. It said:\n${output}`,
  );
}

export async function detectSetUpCommand(folder: string): Promise<string | false> {
  for (const [lockfile, command] of BY_LOCKFILE) {
    if (await exists(join(folder, lockfile))) return command;
  }
  return false;
}

/** The first lockfile found decides. */
const BY_LOCKFILE = [
  ['yarn.lock', 'yarn install'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['package-lock.json', 'npm ci'],
  ['bun.lock', 'bun install --frozen-lockfile'],
  ['bun.lockb', 'bun install --frozen-lockfile'],
] as const;

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

import { lstatSync, realpathSync } from 'node:fs';
import type { SandboxRules } from './sandbox-rules.ts';

interface SandboxLaunch {
  readonly folder: string;
  readonly rules: SandboxRules;
  /** Where temporary files go: in memory, below something that may be written. */
  readonly temporary: string;
  /** Set for the command, beyond what it inherits. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The words that, put before a command, run it in bubblewrap under the rules that agents' commands have: for what decree
 * runs on an agent's behalf without the SDK. The network stays open, since installing needs it. Reads the file system.
 */
export function sandboxLauncher({ folder, rules, temporary, env }: SandboxLaunch): string[] {
  const mounts = [
    ['--bind', folder, folder],
    // In this order: what is hidden wins over the folder, and the exceptions over what is hidden.
    ...rules.denyRead.map(hide),
    ...rules.allowRead.map((path) => ['--ro-bind-try', path, path]),
    ...rules.allowWrite.map((path) => ['--bind-try', path, path]),
    ['--tmpfs', temporary],
  ];
  const variables = Object.entries({ ...env, TMPDIR: temporary }).flatMap(([name, value]) => ['--setenv', name, value]);
  return ['bwrap', ...ISOLATION, ...mounts.flat(), ...variables, '--'];
}

const ISOLATION = '--ro-bind / / --unshare-pid --die-with-parent --dev /dev --proc /proc'.split(' ');

/** Bubblewrap mounts over what exists, and over what a link leads to. */
function hide(path: string): string[] {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const real = realTarget(path);
  if (real === null) return [];
  return lstatSync(real).isDirectory() ? ['--tmpfs', real] : ['--ro-bind', '/dev/null', real];
}

function realTarget(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    // A link that leads nowhere hides nothing.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

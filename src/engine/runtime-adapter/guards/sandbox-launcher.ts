import { lstatSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ISOLATION } from './probe-sandbox.ts';
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
 * runs on an agent's behalf without the SDK. The network stays open, since installing needs it; the SDK's ban of local
 * sockets is not to be had, so the places where they are found are hidden. Reads the file system.
 */
export function sandboxLauncher({ folder, rules, temporary, env }: SandboxLaunch): string[] {
  const mounts = [
    ...[tmpdir(), ...SOCKETS].map(hide),
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

/** Where programs of the user and of the system listen that do what they are told: containers, keys, the desktop. */
const SOCKETS = [
  '/run/user',
  '/run/dbus',
  '/run/docker.sock',
  '/run/containerd',
  '/run/podman',
  '/run/systemd/private',
  '/var/run/docker.sock',
];

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

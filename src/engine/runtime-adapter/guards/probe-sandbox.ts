import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What keeps agents from being sandboxed on this machine. */
export interface SandboxObstacle {
  readonly reason: string;
  readonly fix: string;
}

/** Null where a sandbox can be had. Never throws. */
export type SandboxProbe = (path: string) => SandboxObstacle | null;

/**
 * Looks for the programs that the SDK's sandbox needs and starts one the way it does: bubblewrap may be installed and yet
 * be kept from making namespaces, as in many containers.
 */
export const probeSandbox: SandboxProbe = (path) => {
  const missing = missingSandboxTools(path);
  if (missing.length > 0) {
    const packages = missing.map((tool) => (tool === BUBBLEWRAP ? 'bubblewrap' : tool)).join(' and ');
    return { reason: `${missing.join(' and ')} not found on PATH`, fix: `Install ${packages}.` };
  }
  const started = spawnSync(BUBBLEWRAP, [...ISOLATION, '--', 'true'], {
    env: { PATH: path },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  if (started.status === 0) return null;
  const words = started.stderr.trim().split('\n').at(-1) ?? '';
  const why = words === '' ? (started.error?.message ?? 'it gave no reason') : words;
  return { reason: `bwrap cannot start (${why})`, fix: NAMESPACES };
};

/** Asks once for each PATH: the answer does not change while decree runs. */
export function createSandboxProbe(probe: SandboxProbe = probeSandbox): SandboxProbe {
  const answers = new Map<string, SandboxObstacle | null>();
  return (path) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const answer = probe(path);
    answers.set(path, answer);
    return answer;
  };
}

/** Everything but the network, as the SDK does it. Without a user namespace of its own, root could remount what is read-only. */
export const ISOLATION: readonly string[] = [
  ...'--new-session --die-with-parent --ro-bind / / --dev /dev'.split(' '),
  ...'--unshare-pid --unshare-user --cap-drop ALL --proc /proc'.split(' '),
];

const BUBBLEWRAP = 'bwrap';
const PATIENCE_MS = 5_000;

const NAMESPACES =
  'Allow unprivileged user namespaces (kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0), ' +
  'in a container also the system calls for them.';

/** The programs that the SDK's sandbox needs and that are not on this PATH. Reads the file system. */
export function missingSandboxTools(path: string): string[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return [BUBBLEWRAP, 'socat'].filter((tool) => !folders.some((folder) => isExecutable(join(folder, tool))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

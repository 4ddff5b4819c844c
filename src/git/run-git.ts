import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { processEnvironment } from '../config/process-environment.ts';
import { gitEnvironment } from './git-environment.ts';
import { gitFailed, gitNotStarted } from './git-error.ts';
import { endGroupOnAbort } from './process-group.ts';
import { createTextTail } from './text-tail.ts';

export interface GitOptions {
  readonly cwd: string;
  /** Added to the scrubbed environment (`GIT_DIR`, `GIT_INDEX_FILE`, `credentialEnvironment(...)`). */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Uint8Array | string;
  /** Ends git and everything it started; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Exit codes that are answers, not failures. Default: 0 alone. */
  readonly exitCodes?: readonly number[];
}

export interface GitOutput {
  readonly stdout: Buffer;
  readonly exitCode: number;
}

/**
 * Runs git without a shell, with none of the user's settings, hooks or credentials. Output of any size is kept
 * as bytes. Rejects with GitError, or with the signal's reason after an abort; by then the process is gone.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitOutput> {
  options.signal?.throwIfAborted();
  const child = spawnGit(args, options);
  const stopWatching = endGroupOnAbort(child, options.signal);
  const stdout: Buffer[] = [];
  const stderr = createTextTail();
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  // Git may end before it has read everything (EPIPE). Its exit code says whether that was a failure.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  try {
    const exitCode = await ended(child).catch((error: Error) => {
      throw gitNotStarted(args, options.cwd, error);
    });
    options.signal?.throwIfAborted();
    if (exitCode === null || !(options.exitCodes ?? [0]).includes(exitCode)) {
      throw gitFailed(args, exitCode, stderr.text());
    }
    return { stdout: Buffer.concat(stdout), exitCode };
  } finally {
    stopWatching();
  }
}

/** The same, as text without its last line break. Bytes that are not UTF-8 are replaced. */
export async function runGitText(args: readonly string[], options: GitOptions): Promise<string> {
  return textOf(await runGit(args, options));
}

export function textOf({ stdout }: GitOutput): string {
  return stdout.toString('utf8').replace(/\r?\n$/, '');
}

/**
 * Starts git for callers that stream (the forge's smart HTTP). The caller handles `error`, `close` and the streams.
 * The child leads its own process group, so that a Ctrl-C in the terminal reaches decree only.
 */
export function spawnGit(args: readonly string[], options: Pick<GitOptions, 'cwd' | 'env'>) {
  return spawn('git', [...SAFE_SETTINGS, ...args], {
    cwd: options.cwd,
    env: { ...gitEnvironment(processEnvironment()), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
}

/** Settings on the command line win over every file, also over one that an agent has written. */
const SAFE_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.askPass=',
  'core.sshCommand=false',
  'credential.helper=',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'commit.gpgSign=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
].flatMap((setting) => ['-c', setting]);

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

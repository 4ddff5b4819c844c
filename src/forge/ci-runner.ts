import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { processEnvironment } from '../config/process-environment.ts';
import { killGroup } from '../git/process-group.ts';
import { runGit } from '../git/run-git.ts';
import { timestamp } from './forge.ts';
import type { Store } from './store.ts';

export interface CIOptions {
  /** For the shell, in a clean checkout of the pushed commit. */
  readonly command: string;
  /** The words to put before the shell, so that it runs in a sandbox in which it may write this folder. */
  readonly launcher?: (folder: string) => readonly string[];
  /** Default: ten minutes. */
  readonly timeoutMs?: number;
  /** How many run at once. Default: 2. */
  readonly concurrency?: number;
}

/** Runs the command on each commit that a branch is moved to, once, and reports it as the check run `ci`. */
export interface CIRunner {
  enqueue(sha: string): void;
  /** Goes on with what was queued or cut off when the forge was closed. */
  resume(): void;
  /** Ends running commands; they start again at the next start. */
  close(): Promise<void>;
}

export function createCIRunner(
  options: CIOptions | undefined,
  place: { store: Store; repository: string; now: () => number },
): CIRunner {
  if (options === undefined) return { enqueue: () => undefined, resume: () => undefined, close: async () => undefined };
  const { store } = place;
  const running = new Set<Promise<void>>();
  const stop = new AbortController();

  const runNext = (): void => {
    while (running.size < (options.concurrency ?? 2) && !stop.signal.aborted) {
      const next = store.get(queuedRow, `SELECT id, head_sha FROM check_runs WHERE status = 'queued' ORDER BY id`);
      if (next === null) return;
      const sql = `UPDATE check_runs SET status = 'in_progress', started_at = ? WHERE id = ?`;
      store.run(sql, timestamp(place.now()), next.id);
      const run = check(next.id, next.head_sha).finally(() => {
        running.delete(run);
        runNext();
      });
      running.add(run);
    }
  };

  const check = async (id: number, sha: string): Promise<void> => {
    const result = await runCommand(options, place.repository, sha, stop.signal).catch(failedToRun);
    if (stop.signal.aborted) return;
    const changes = 'conclusion = ?, title = ?, summary = ?, text = ?, completed_at = ?';
    const sql = `UPDATE check_runs SET status = 'completed', ${changes} WHERE id = ?`;
    const title = options.command.slice(0, 255);
    store.run(sql, result.conclusion, title, result.summary, result.log, timestamp(place.now()), id);
  };

  return {
    enqueue: (sha) => {
      if (store.get(queuedRow, 'SELECT id, head_sha FROM check_runs WHERE head_sha = ?', sha) !== null) return;
      store.run(`INSERT INTO check_runs (head_sha, name, status) VALUES (?, 'ci', 'queued')`, sha);
      runNext();
    },
    resume: () => {
      store.run(`UPDATE check_runs SET status = 'queued', started_at = NULL WHERE status = 'in_progress'`);
      runNext();
    },
    close: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}

const queuedRow = z.object({ id: z.number(), head_sha: z.string() });

/** As much as a check run may hold. */
const LOG_LIMIT = 65_000;

interface Result {
  readonly conclusion: 'success' | 'failure' | 'timed_out';
  readonly summary: string;
  readonly log: string;
}

async function runCommand(options: CIOptions, repository: string, sha: string, signal: AbortSignal): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'decree-ci-'));
  const [checkout, home, logFile] = [join(folder, 'checkout'), join(folder, 'home'), join(folder, 'log')];
  try {
    await Promise.all([mkdir(checkout), mkdir(home)]);
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    await runGit([`--work-tree=${checkout}`, 'read-tree', '--reset', '-u', sha], { cwd: repository, env, signal });
    const exit = await runShell(options, { folder, checkout, home, logFile }, signal);
    return { ...exit, log: await readTail(logFile) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The output goes to a file, so that a left-over background process cannot keep a pipe, and us, waiting. */
async function runShell(
  options: CIOptions,
  { folder, checkout: cwd, home, logFile }: { folder: string; checkout: string; home: string; logFile: string },
  signal: AbortSignal,
): Promise<Omit<Result, 'log'>> {
  const timeoutMs = options.timeoutMs ?? 600_000;
  const timeout = AbortSignal.timeout(timeoutMs);
  const log = await open(logFile, 'w');
  try {
    const [program, ...args] = [...(options.launcher?.(folder) ?? []), '/bin/sh', '-c', options.command] as const;
    const child = spawn(program, args, {
      cwd,
      // Nothing else of the forge's environment: no token, key or setting of the user may reach the command.
      env: {
        PATH: processEnvironment()['PATH'],
        HOME: home,
        TMPDIR: home,
        LANG: 'C.UTF-8',
        CI: 'true',
        GIT_CEILING_DIRECTORIES: cwd,
      },
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    const endGroup = (): void => killGroup(child, 'SIGKILL');
    const stopped = AbortSignal.any([signal, timeout]);
    stopped.addEventListener('abort', endGroup, { once: true });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    stopped.removeEventListener('abort', endGroup);
    endGroup();
    if (timeout.aborted) return { conclusion: 'timed_out', summary: `The command was ended after ${timeoutMs} ms.` };
    if (code === 0) return { conclusion: 'success', summary: 'The command succeeded.' };
    return { conclusion: 'failure', summary: `The command failed with exit code ${code ?? 'none (a signal)'}.` };
  } finally {
    await log.close();
  }
}

async function readTail(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, LOG_LIMIT);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}

function failedToRun(error: unknown): Result {
  const reason = error instanceof Error ? error.message : String(error);
  return { conclusion: 'failure', summary: 'The command could not be run.', log: reason };
}

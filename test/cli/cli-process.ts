import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGit } from '../../src/git/run-git.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface CLIOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[];
}

export interface CLIEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CLIProcess {
  readonly pid: number;
  /** Resolves as soon as what it wrote matches. Rejects if the process ends before that. */
  until(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<string>;
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void;
  readonly ended: Promise<CLIEnd>;
}

/** Starts `decree` as a process of its own, with an environment that holds nothing of the machine's but PATH. */
export function startDecree(args: readonly string[], options: CLIOptions): CLIProcess {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), MAIN, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], HOME: options.cwd, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    for (const watcher of watchers) watcher();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    for (const watcher of watchers) watcher();
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const ended = new Promise<CLIEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });

  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => void child.kill(signal),
    until: (pattern, stream = 'stdout') => {
      const seen = new Promise<string>((resolve) => {
        const check = () => {
          const text = stream === 'stdout' ? stdout : stderr;
          if (!pattern.test(text)) return;
          watchers.delete(check);
          resolve(text);
        };
        watchers.add(check);
        check();
      });
      const early = ended.then(({ code }) => {
        throw new Error(`decree ended with ${String(code)} before ${pattern}:\n${stdout}\n${stderr}`);
      });
      return Promise.race([seen, early]);
    },
  };
}

/** Runs a command to its end. */
export function decree(args: readonly string[], options: CLIOptions): Promise<CLIEnd> {
  return startDecree(args, options).ended;
}

export interface TestRepository {
  readonly folder: string;
  write(file: string, text: string): Promise<void>;
  commit(): Promise<void>;
  remove(): Promise<void>;
}

/** An empty git repository in a temporary folder. */
export async function createRepository(): Promise<TestRepository> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-cli-'));
  const git = (...args: string[]) => runGit(args, { cwd: folder });
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'human');
  await git('config', 'user.email', 'human@example.com');
  return {
    folder,
    write: async (file, text) => {
      const target = path.join(folder, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, text);
    },
    commit: async () => {
      await git('add', '--all');
      await git('commit', '--quiet', '--message', 'A commit');
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

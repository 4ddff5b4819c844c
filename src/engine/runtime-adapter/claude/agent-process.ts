import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { SpawnedProcess, SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { killGroup } from '../../../git/process-group.ts';
import { createTextTail } from '../../../git/text-tail.ts';
import { endSessionProcesses } from '../session/end-session-processes.ts';

/** The child process of one session. The SDK says how to start it; ending it for certain is ours. */
export interface AgentProcess {
  /** For the SDK's option `spawnClaudeCodeProcess`. */
  readonly spawn: (options: SpawnOptions) => SpawnedProcess;
  /** Null until it was started. */
  pid(): number | null;
  /** The end of what it wrote to stderr. */
  stderr(): string;
  /**
   * Resolves when the process and everything that it started are gone: it may end by itself for `patienceMs`, then
   * it is asked to (SIGTERM, on which it ends its own children), then it is killed.
   */
  end(patienceMs: number): Promise<void>;
}

export function createAgentProcess(sessionID: string, termPatienceMs = 5_000): AgentProcess {
  let child: ChildProcess | null = null;
  let gone: Promise<void> = Promise.resolve();
  const tail = createTextTail();

  return {
    spawn: ({ command, args, cwd, env }) => {
      const started = spawn(command, args, {
        ...(cwd !== undefined && { cwd }),
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
        // Its own process group: a Ctrl-C in the terminal reaches decree only.
        detached: true,
      });
      started.stderr.on('data', (chunk: Buffer) => tail.add(chunk));
      gone = new Promise((resolve) => {
        started.once('exit', () => resolve());
        started.once('error', () => resolve());
      });
      child = started;
      return started;
    },
    pid: () => child?.pid ?? null,
    stderr: () => tail.text(),
    end: async (patienceMs) => {
      if (child !== null && !(await isGoneWithin(gone, patienceMs))) {
        killGroup(child, 'SIGTERM');
        if (!(await isGoneWithin(gone, termPatienceMs))) killGroup(child, 'SIGKILL');
        await gone;
      }
      await endSessionProcesses(sessionID);
    },
  };
}

async function isGoneWithin(gone: Promise<void>, ms: number): Promise<boolean> {
  const timeout = new AbortController();
  const late = pause(ms, false, { signal: timeout.signal }).catch(() => false);
  const isGone = await Promise.race([gone.then(() => true), late]);
  timeout.abort();
  return isGone;
}

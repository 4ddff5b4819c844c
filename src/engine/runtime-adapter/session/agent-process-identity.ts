import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { AgentProcess } from '../../../domain/run.ts';
import { killGroup } from '../../../git/process-group.ts';

/** Names a running process for good: ids come again, the time at which a process began does not. Null if it is gone. */
export async function identifyProcess(pid: number): Promise<AgentProcess | null> {
  const begun = await readBegin(pid);
  return begun === null ? null : { pid, begun };
}

/**
 * Ends a process with its whole group, if it is still the one that was identified: another process under the same id is
 * left alone. Resolves when it is gone. The process must lead its group.
 */
export async function endIdentifiedProcess({ pid, begun }: AgentProcess): Promise<void> {
  // To the system, the group of 1 is everybody.
  if (pid <= 1) return;
  for (let round = 0; round < ROUNDS && (await readBegin(pid)) === begun; round += 1) {
    killGroup({ pid }, 'SIGKILL');
    await pause(PAUSE_MS);
  }
}

/** A group that was killed disappears at once, unless the system is very busy. */
const ROUNDS = 100;
const PAUSE_MS = 20;

async function readBegin(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? readBeginFromProc(pid) : readBeginFromPs(pid);
}

/** In ticks since the system was started, so which start that was belongs to it. A dead process that waits to be reaped is gone. */
async function readBeginFromProc(pid: number): Promise<string | null> {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => null),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
  ]);
  // The name in brackets may hold anything, brackets and spaces too.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state] = fields;
  const ticks = fields[19];
  return state === undefined || state === 'Z' || ticks === undefined ? null : `${boot.trim()} ${ticks}`;
}

async function readBeginFromPs(pid: number): Promise<string | null> {
  const output = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  return output?.stdout.trim() || null;
}

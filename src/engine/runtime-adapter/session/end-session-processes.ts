import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Set in the environment of an agent and so of all it starts: the name by which its processes are found again. */
export const SESSION_VARIABLE = 'DECREE_SESSION_ID';

/**
 * Ends every process that a session left behind: a server started with `&`, or the agent itself after a crash of
 * decree. Resolves when they are gone. Processes are found through /proc; where there is none, none are found.
 */
export async function endSessionProcesses(sessionID: string): Promise<void> {
  // Twice none: a process that starts another and ends while they are listed hides both from that list.
  for (let round = 0, empty = 0; round < ROUNDS && empty < 2; round += 1) {
    const pids = await findSessionProcesses(sessionID);
    empty = pids.length === 0 ? empty + 1 : 0;
    for (const pid of pids) kill(pid);
    if (pids.length > 0) await pause(PAUSE_MS);
  }
}

export async function findSessionProcesses(sessionID: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const isMarked = await Promise.all(pids.map((pid) => hasMark(pid, `${SESSION_VARIABLE}=${sessionID}`)));
  return pids.filter((pid, index) => isMarked[index] === true && pid !== process.pid);
}

/** A process that was killed disappears at once, unless the system is very busy. */
const ROUNDS = 100;
const PAUSE_MS = 20;

async function hasMark(pid: number, mark: string): Promise<boolean> {
  // Processes of other users cannot be read, and processes end while they are listed.
  const environment = await readFile(`/proc/${String(pid)}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

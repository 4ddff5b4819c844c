import type { ChildProcess } from 'node:child_process';

/**
 * Ends a child and everything that it started when the signal is aborted: SIGTERM first, which lets git remove its
 * lock files, SIGKILL if that is not heard. The child must lead its own group (`detached`). Returns how to stop watching.
 */
export function endGroupOnAbort(child: ChildProcess, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    killGroup(child, 'SIGTERM');
    timer = setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  };
}

export function killGroup(child: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The group may have ended between the decision and the signal; macOS says EPERM while its leader is not reaped.
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

const KILL_AFTER_MS = 3_000;

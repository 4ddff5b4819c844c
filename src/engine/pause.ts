import type { Clock } from './ports.ts';

/** Resolves after `ms`. Rejects at once when the signal is aborted: whoever waits must not go on. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abandon = () => {
      cancel();
      reject(new Error('stopped while waiting', { cause: signal.reason }));
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', abandon);
      resolve();
    });
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
  });
}

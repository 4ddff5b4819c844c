import { setImmediate } from 'node:timers/promises';

/** Waits for a condition without sleeping; says what it waited for if it never comes. */
export async function until(what: string, condition: () => boolean, timeoutMs = 10_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await setImmediate();
  }
}

/** Lets everything that is under way come to rest: promises, queued events, lanes. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await setImmediate();
}

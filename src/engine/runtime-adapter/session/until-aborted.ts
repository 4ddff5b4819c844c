/** Waits for a promise, but no longer than until the signal is aborted; then rejects with the signal's reason. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    const listener = (): void => resolve();
    signal.addEventListener('abort', listener, { once: true });
    stopListening = () => signal.removeEventListener('abort', listener);
    if (signal.aborted) resolve();
  });
  // Nobody else may be left to see a failure that comes after the abort.
  promise.catch(() => undefined);
  try {
    const first = await Promise.race([promise.then((value) => ({ value })), aborted]);
    if (first !== undefined) return first.value;
    signal.throwIfAborted();
    throw new Error('unreachable: the race is lost only to an abort');
  } finally {
    stopListening();
  }
}

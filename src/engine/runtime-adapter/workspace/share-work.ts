import { untilAborted } from '../session/until-aborted.ts';

/**
 * Lets callers that come while a task runs share one next run of it. Each gets a run that began after its call, so
 * what it sees is fresh; twenty callers at once cost two runs, never more than one at a time. A caller that gives up
 * leaves the others alone; a run that nobody waits for any more is aborted.
 */
export function shareWork(task: (signal: AbortSignal) => Promise<void>): (signal: AbortSignal) => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: SharedRun | null = null;

  function begin(): SharedRun {
    const run: SharedRun = { controller: new AbortController(), waiting: 0, done: Promise.resolve() };
    run.done = execute(run, running);
    running = run.done.catch(() => undefined);
    return run;
  }

  async function execute(run: SharedRun, previous: Promise<void>): Promise<void> {
    await previous;
    if (next === run) next = null;
    run.controller.signal.throwIfAborted();
    await task(run.controller.signal);
  }

  return async (signal) => {
    signal.throwIfAborted();
    next ??= begin();
    const run = next;
    run.waiting += 1;
    try {
      await untilAborted(run.done, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) {
        run.controller.abort(new Error('nobody waits for this any more'));
        if (next === run) next = null;
      }
    }
  };
}

interface SharedRun {
  readonly controller: AbortController;
  waiting: number;
  done: Promise<void>;
}

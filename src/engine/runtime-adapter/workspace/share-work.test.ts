import { expect, test } from 'vitest';
import { shareWork } from './share-work.ts';

/** A task that ends when the test says so. */
function createTask() {
  const runs: { signal: AbortSignal; finish: () => void; fail: (error: Error) => void }[] = [];
  const task = (signal: AbortSignal): Promise<void> =>
    new Promise((finish, fail) => {
      runs.push({ signal, finish, fail });
      signal.addEventListener('abort', () => fail(new Error('aborted')), { once: true });
    });
  return { runs, task };
}

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('callers at the same moment share one run', async () => {
  const { runs, task } = createTask();
  const share = shareWork(task);
  const calls = [share(never), share(never), share(never)];
  await turn();
  expect(runs).toHaveLength(1);
  runs[0]?.finish();
  await Promise.all(calls);
});

test('a caller that comes during a run waits for the next one, which began after its call', async () => {
  const { runs, task } = createTask();
  const share = shareWork(task);
  const first = share(never);
  await turn();
  const late = [share(never), share(never)];
  await turn();
  expect(runs).toHaveLength(1);
  runs[0]?.finish();
  await first;
  await turn();
  expect(runs).toHaveLength(2);
  runs[1]?.finish();
  await Promise.all(late);
});

test('a failure reaches all who shared the run, and nobody else', async () => {
  const { runs, task } = createTask();
  const share = shareWork(task);
  const calls = [share(never), share(never)];
  await turn();
  const later = share(never);
  runs[0]?.fail(new Error('no network'));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
  await turn();
  runs[1]?.finish();
  await later;
});

test('a caller that gives up leaves the run to the others', async () => {
  const { runs, task } = createTask();
  const share = shareWork(task);
  const controller = new AbortController();
  const given = share(controller.signal);
  const kept = share(never);
  await turn();
  controller.abort(new Error('cancelled'));
  await expect(given).rejects.toThrow('cancelled');
  expect(runs[0]?.signal.aborted).toBe(false);
  runs[0]?.finish();
  await kept;
});

test('a run that nobody waits for any more is aborted, and the next caller gets a new one', async () => {
  const { runs, task } = createTask();
  const share = shareWork(task);
  const controller = new AbortController();
  const given = share(controller.signal);
  await turn();
  controller.abort(new Error('cancelled'));
  await expect(given).rejects.toThrow('cancelled');
  expect(runs[0]?.signal.aborted).toBe(true);
  const next = share(never);
  await turn();
  runs[1]?.finish();
  await next;
});

test('a run that was given up before it began never begins', async () => {
  const { runs, task } = createTask();
  const share = shareWork(task);
  const first = share(never);
  await turn();
  const controller = new AbortController();
  const given = share(controller.signal);
  controller.abort(new Error('cancelled'));
  await expect(given).rejects.toThrow('cancelled');
  const kept = share(never);
  runs[0]?.finish();
  await first;
  await turn();
  expect(runs).toHaveLength(2);
  runs[1]?.finish();
  await kept;
});

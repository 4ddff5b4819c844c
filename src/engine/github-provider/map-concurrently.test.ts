import { expect, test } from 'vitest';
import { mapConcurrently } from './map-concurrently.ts';

test('keeps the order and the limit', async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([5, 4, 3, 2, 1], 2, async (n) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < n; turn += 1) await Promise.resolve();
    running -= 1;
    return n * 10;
  });
  expect(results).toEqual([50, 40, 30, 20, 10]);
  expect(most).toBe(2);
});

test('begins nothing more after a failure', async () => {
  const begun: number[] = [];
  const failing = mapConcurrently([1, 2, 3, 4, 5, 6], 2, async (n) => {
    begun.push(n);
    if (n === 2) throw new Error('no');
    return n;
  });
  await expect(failing).rejects.toThrow('no');
  expect(begun.length).toBeLessThan(5);
});

test('nothing to do is done', async () => {
  expect(await mapConcurrently([], 4, async (n) => n)).toEqual([]);
});

import { expect, test } from 'vitest';
import { judgeSizes, measureProcess } from './measure-process.ts';

const series = (of: (n: number) => number, what: 'heapMiB' | 'residentMiB' | 'descriptors') =>
  Array.from({ length: 30 }, (_, n) => ({ heapMiB: 50, residentMiB: 200, descriptors: 40, [what]: of(n) }));

test('going up and down is flat, and so is what fills up in the beginning', () => {
  expect(judgeSizes(series((n) => 50 + (n % 3) * 8, 'heapMiB')).isFlat).toBe(true);
  expect(judgeSizes(series((n) => Math.min(n * 10, 100), 'residentMiB')).isFlat).toBe(true);
});

test('what grows all the time is not flat', () => {
  expect(judgeSizes(series((n) => 50 + n * 2, 'heapMiB')).isFlat).toBe(false);
  expect(judgeSizes(series((n) => 200 + n * 10, 'residentMiB')).isFlat).toBe(false);
  expect(judgeSizes(series((n) => 40 + n * 4, 'descriptors'))).toMatchObject({
    isFlat: false,
    summary: expect.stringContaining('+40 descriptors'),
  });
});

test('what is held is measured, what was dropped is not', () => {
  // What earlier tests of this process left is let go in two goes: some of it only after finalizers have run.
  measureProcess();
  const empty = measureProcess().heapMiB;
  const held = Array.from({ length: 2_000_000 }, (_, n) => ({ n }));
  const full = measureProcess().heapMiB;
  held.length = 0;
  const dropped = measureProcess().heapMiB;
  expect(full - empty).toBeGreaterThan(20);
  expect(full - dropped).toBeGreaterThan(20);
});

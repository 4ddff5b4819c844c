import { expect, test } from 'vitest';
import { runCrashMatrix } from './crash-matrix.ts';

test('an engine that is killed anywhere ends with the same forge after a restart (a sample of the matrix)', async () => {
  const report = await runCrashMatrix({ sample: 3, seed: 7 });
  expect(report.wrong).toEqual([]);
  expect(report.reached).toBeGreaterThan(1);
}, 240_000);

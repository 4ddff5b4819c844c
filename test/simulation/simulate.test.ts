import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

test('twenty items go through the whole loop; all are closed, none twice', async () => {
  const result = await simulate({ items: 20, maxConcurrent: 4, timeoutMs: 100_000 });
  expect(result).toMatchObject({ closed: 20, duplicates: 0, failedRuns: 0 });
}, 120_000);

import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

test('ten items go through the whole loop; all are closed, none twice', async () => {
  const result = await simulate({ items: 10, maxConcurrent: 4, timeoutMs: 100_000 });
  expect(result).toMatchObject({ closed: 10, duplicates: 0, failedRuns: 0 });
}, 120_000);

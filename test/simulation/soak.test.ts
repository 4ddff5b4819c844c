import { expect, test } from 'vitest';
import { soak } from './soak.ts';

test('two busy days in two lives: every item ends where it should', async () => {
  const report = await soak({ days: 2, speed: 8_000, daysALife: 1 });
  expect(report).toMatchObject({ lives: 2, items: 16, wrongs: [] });
  // Each day one agent fails and one hangs; both are tried again, as is what the second start interrupts.
  expect(report.failedRuns).toBeGreaterThanOrEqual(4);
}, 120_000);

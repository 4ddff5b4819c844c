import { expect, test } from 'vitest';
import { runFaultStorm } from './fault-storm.ts';

test('four items come through a storm of faults, an outage and a suspended installation; nothing is lost, nothing is done twice', async () => {
  const report = await runFaultStorm({
    items: 4,
    rate: 0.1,
    seed: 3,
    speed: 600,
    troubleMs: 600_000,
    maxConcurrent: 4,
  });
  expect(report.wrongs).toEqual([]);
  expect(report.troubles.map(({ what }) => what)).toEqual(['outage', 'suspended installation']);
  expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(10);
}, 120_000);

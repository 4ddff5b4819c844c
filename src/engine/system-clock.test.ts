import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from './system-clock.ts';

test('a wait that is longer than timers can count is long, not short', async () => {
  let calls = 0;
  const cancel = systemClock.after(Number.MAX_SAFE_INTEGER, () => (calls += 1));
  await sleep(20);
  cancel();
  expect(calls).toBe(0);
});

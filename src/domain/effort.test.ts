import { expect, test } from 'vitest';
import { FRESH_EFFORT, afterFailure } from './effort.ts';

const LIMITS = { maxAttempts: 8, firstPauseMs: 30_000, longestPauseMs: 900_000 };

test('pauses double from the first to the longest, and after the last attempt a person is waited for', () => {
  const pauses: (number | null)[] = [];
  let effort = FRESH_EFFORT;
  for (let attempt = 1; attempt <= LIMITS.maxAttempts; attempt++) {
    effort = afterFailure(effort, 'implementor', 1_000, LIMITS);
    pauses.push(effort.retry === null ? null : effort.retry.at - 1_000);
  }
  expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000, null]);
  expect(effort).toMatchObject({ isHeld: true, failures: { implementor: 8, reviewer: 0 } });
});

test('roles are counted apart', () => {
  const once = afterFailure(FRESH_EFFORT, 'implementor', 0, { ...LIMITS, maxAttempts: 2 });
  expect(afterFailure(once, 'reviewer', 0, { ...LIMITS, maxAttempts: 2 }).isHeld).toBe(false);
});

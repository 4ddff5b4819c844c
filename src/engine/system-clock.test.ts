import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from './system-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a wait that is longer than timers can count is long, not short', () => {
  let calls = 0;
  systemClock.after(Number.MAX_SAFE_INTEGER, () => (calls += 1));
  vi.advanceTimersByTime(24 * 24 * 3_600_000);
  expect(calls).toBe(0);
});

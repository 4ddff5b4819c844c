import { expect, test } from 'vitest';
import { formatAge, formatCount, formatDuration, formatNumberOf, formatUSD } from './format-amounts.ts';

test('durations have two units at most, ages one', () => {
  const times = [-5, 0, 59_999, 130_000, 3_900_000, 3 * 86_400_000];
  expect(times.map(formatDuration)).toEqual(['0s', '0s', '59s', '2m10s', '1h05m', '3d']);
  expect(times.map(formatAge)).toEqual(['0s', '0s', '59s', '2m', '1h', '3d']);
});

test('amounts read well', () => {
  expect(formatUSD(3.2)).toBe('$3.20');
  expect(formatCount(12_345)).toBe('12,345');
  expect([formatNumberOf(1, 'agent'), formatNumberOf(2, 'agent')]).toEqual(['1 agent', '2 agents']);
});

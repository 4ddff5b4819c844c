import { expect, test } from 'vitest';
import { slowDown } from './slow-down.ts';

const limit = (remaining: number, resetsAt = 3_600_000) => ({ limit: 5_000, remaining, resetsAt });

test('with enough left, or nothing known, the pace is the usual one', () => {
  expect(slowDown(30_000, null, 0)).toBe(30_000);
  expect(slowDown(30_000, limit(1_000), 0)).toBe(30_000);
  expect(slowDown(30_000, limit(0, 500), 1_000)).toBe(30_000);
});

test('the less is left, the slower it gets, and before the limit is hit it waits for the renewal', () => {
  const paces = [999, 700, 400, 200, 101].map((remaining) => slowDown(30_000, limit(remaining), 0));
  expect(paces).toEqual(paces.toSorted((a, b) => a - b));
  expect(paces[0]).toBeLessThan(31_000);
  expect(paces.at(-1)).toBeGreaterThan(250_000);
  expect(slowDown(30_000, limit(100), 0)).toBe(3_600_000);
});

test('it never waits longer than until the renewal', () => {
  expect(slowDown(30_000, limit(150, 60_000), 0)).toBe(60_000);
});

test('a renewal in another century, or a clock that was set back, does not stop it for longer than an hour', () => {
  expect(slowDown(30_000, limit(0, Date.UTC(2199, 0, 1)), 0)).toBe(3_600_000);
});

import { expect, test } from 'vitest';
import { createTokenCache } from './token-cache.ts';

const at = (ms: number) => new Date(ms).toISOString();

test('a token is used until shortly before its own end', () => {
  let now = 0;
  const cache = createTokenCache(() => now);
  cache.set('1', `ghs_x|${at(0)}|${at(3_600_000)}|all|issues`);
  now = 3_539_000;
  expect(cache.get('1')).toMatch(/^ghs_x/);
  now = 3_540_000;
  expect(cache.get('1')).toBe('');
});

test('a token with a short life is used for most of it', () => {
  let now = 0;
  const cache = createTokenCache(() => now);
  cache.set('1', `ghs_x|${at(0)}|${at(1_000)}|all|issues`);
  now = 899;
  expect(cache.get('1')).toMatch(/^ghs_x/);
  now = 900;
  expect(cache.get('1')).toBe('');
});

test.each([
  ['ahead', -7_200_000],
  ['behind', 7_200_000],
])('a token is used for its hour by a clock that is two hours %s', (_, skew) => {
  let now = 0;
  const cache = createTokenCache(() => now);
  cache.set('1', `ghs_x|${at(0)}|${at(3_600_000 + skew)}|all|issues`);
  now = 3_539_000;
  expect(cache.get('1')).toMatch(/^ghs_x/);
  now = 3_540_000;
  expect(cache.get('1')).toBe('');
});

test('a token without a readable end is not used again', () => {
  const cache = createTokenCache(() => 0);
  cache.set('1', 'ghs_x|yesterday|');
  expect(cache.get('1')).toBe('');
});

test('a refused token is forgotten', () => {
  const cache = createTokenCache(() => 0);
  cache.set('1', `ghs_x|${at(0)}|${at(3_600_000)}|all|issues`);
  cache.clear();
  expect(cache.get('1')).toBe('');
});

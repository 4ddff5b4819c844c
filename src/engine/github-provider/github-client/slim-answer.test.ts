import { expect, test } from 'vitest';
import { slimAnswer } from './slim-answer.ts';

test('links that nobody reads are dropped at every depth, and everything else stays', () => {
  const { data } = slimAnswer([
    {
      number: 1,
      url: 'u',
      html_url: 'page',
      node_id: 'n',
      _links: { self: { href: 'x' } },
      user: { login: 'ann', avatar_url: 'u', followers_url: 'u' },
      labels: ['task', { name: 'a', url: 'u', color: null }],
      curl: 'a word that only ends like one',
    },
  ]);
  expect(data).toEqual([
    {
      number: 1,
      html_url: 'page',
      user: { login: 'ann' },
      labels: ['task', { name: 'a', color: null }],
      curl: 'a word that only ends like one',
    },
  ]);
});

test('its size grows with its texts and with the number of its values', () => {
  const size = (data: unknown) => slimAnswer(data).size;
  expect(size('x'.repeat(1_000))).toBeGreaterThan(1_000);
  expect(size({ a: 'x'.repeat(1_000), url: 'x'.repeat(1_000) })).toBeLessThan(1_200);
  expect(size(Array.from({ length: 100 }, () => null))).toBeGreaterThan(1_000);
});

test('names that mean something to JavaScript are only names', () => {
  const { data } = slimAnswer(JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'));
  expect(JSON.stringify(data)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
});

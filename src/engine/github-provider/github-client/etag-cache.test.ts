import { expect, test } from 'vitest';
import { ANSWER_OVERHEAD, createETagCache } from './etag-cache.ts';

/** For two answers of ten bytes together. */
const ROOM = 10 + 2 * ANSWER_OVERHEAD;

const answer = (text: string) => ({
  token: 't',
  etag: '"x"',
  status: 200,
  headers: new Map<string, string>(),
  answer: { data: text, size: text.length },
});

test('the least recently used answers go first when there is no room', () => {
  const cache = createETagCache(ROOM);
  cache.set('a', answer('aaaa'));
  cache.set('b', answer('bbbb'));
  expect(cache.get('a', 't')?.answer.data).toBe('aaaa');
  cache.set('c', answer('cccc'));
  expect(cache.get('b', 't')).toBeUndefined();
  expect(cache.get('a', 't')?.answer.data).toBe('aaaa');
  expect(cache.get('c', 't')?.answer.data).toBe('cccc');
});

test('an answer that replaces another takes its room', () => {
  const cache = createETagCache(ROOM);
  for (let n = 0; n < 10; n += 1) cache.set('a', answer('aaaaaaaa'));
  cache.set('b', answer('b'));
  expect(cache.get('a', 't')?.answer.data).toBe('aaaaaaaa');
});

test('an answer that would not fit at all is not kept, nor is the one it would replace', () => {
  const cache = createETagCache(ROOM);
  cache.set('a', answer('a'));
  cache.set('a', answer('a'.repeat(ROOM)));
  expect(cache.get('a', 't')).toBeUndefined();
});

test('an answer to another token is of no use, and makes room for the next one', () => {
  const cache = createETagCache(ROOM);
  cache.set('a', answer('aaaaaaaa'));
  expect(cache.get('a', 'renewed')).toBeUndefined();
  cache.set('a', { ...answer('aaaaaaaa'), token: 'renewed' });
  cache.set('b', answer('b'));
  expect(cache.get('a', 'renewed')?.answer.data).toBe('aaaaaaaa');
  expect(cache.get('a', 't')).toBeUndefined();
});

test('many empty answers take room too', () => {
  const cache = createETagCache(ROOM);
  for (const key of ['a', 'b', 'c']) cache.set(key, answer(''));
  expect(['a', 'b', 'c'].map((key) => cache.get(key, 't') !== undefined)).toEqual([false, true, true]);
});

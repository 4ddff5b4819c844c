import { expect, test } from 'vitest';
import { hunkUpTo } from './diff-lines.ts';

const PATCH = [
  '@@ -1,3 +1,3 @@',
  ' one',
  '-two',
  '+TWO',
  ' three',
  '@@ -10,2 +10,3 @@ somewhere',
  ' ten',
  '+new',
  ' eleven',
  '\\ No newline at end of file',
].join('\n');

test.each([
  [1, ' one'],
  [2, '+TWO'],
  [3, ' three'],
  [11, '+new'],
  [12, ' eleven'],
])('line %i is %j', (line, text) => {
  expect(hunkUpTo(PATCH, line)?.split('\n').at(-1)).toBe(text);
});

test.each([0, 4, 9, 13])('line %i is not in the diff', (line) => {
  expect(hunkUpTo(PATCH, line)).toBeNull();
});

test('the hunk begins with its header and ends with the line', () => {
  expect(hunkUpTo(PATCH, 11)).toBe('@@ -10,2 +10,3 @@ somewhere\n ten\n+new');
});

test('a file without a patch has no lines', () => {
  expect(hunkUpTo('', 1)).toBeNull();
});

import { expect, test } from 'vitest';
import { locateLine } from './diff-lines.ts';

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
  ['RIGHT', 1, 1],
  ['RIGHT', 2, 3],
  ['LEFT', 2, 2],
  ['RIGHT', 3, 4],
  ['RIGHT', 11, 7],
  ['LEFT', 11, 8],
  ['RIGHT', 12, 8],
] as const)('%s line %i is at position %i', (side, line, position) => {
  expect(locateLine(PATCH, side, line)?.position).toBe(position);
});

test.each([
  ['RIGHT', 4],
  ['RIGHT', 9],
  ['RIGHT', 13],
  ['LEFT', 12],
  ['LEFT', 0],
] as const)('%s line %i is not in the diff', (side, line) => {
  expect(locateLine(PATCH, side, line)).toBeNull();
});

test('the hunk ends with the line', () => {
  expect(locateLine(PATCH, 'RIGHT', 11)?.hunk).toBe('@@ -10,2 +10,3 @@ somewhere\n ten\n+new');
});

test('a file without a patch has no lines', () => {
  expect(locateLine('', 'RIGHT', 1)).toBeNull();
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fence } from './fence.ts';

test('text stands between two fences', () => {
  expect(fence('a\nb')).toBe('```\na\nb\n```');
  expect(fence('a\n')).toBe('```\na\n```');
});

test('no text can end its fence early', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '```', '`````', '\n', ' ', 'x')), (parts) => {
      const lines = fence(parts.join('')).split('\n');
      const marks = lines[0] ?? '';
      // CommonMark: a fence ends at a line of at least as many marks, indented by up to three spaces.
      const ends = lines.slice(1).filter((line) => /^ {0,3}`+ *$/.test(line) && line.trim().length >= marks.length);
      expect(ends).toEqual([marks]);
      expect(lines.at(-1)).toBe(marks);
    }),
  );
});

test('a text of nothing but marks is no problem', () => {
  expect(fence('` '.repeat(300_000)).startsWith('```\n')).toBe(true);
});

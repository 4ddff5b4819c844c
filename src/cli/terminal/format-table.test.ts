import { expect, test } from 'vitest';
import { formatTable } from './format-table.ts';
import { plainText } from './plain-text.ts';

test('columns line up, whatever colours and wide characters they hold', () => {
  const table = formatTable(
    ['item', 'title', 'status'],
    [
      ['#1', '日本語', '\u001b[32mready\u001b[39m'],
      ['#200', 'plain', 'closed'],
    ],
  );
  expect(table).toBe('item  title   status\n#1    日本語  \u001b[32mready\u001b[39m\n#200  plain   closed');
});

test('a cell never breaks its line', () => {
  expect(formatTable(['a', 'b'], [['one\n\ttwo', 'x']])).toBe('a        b\none two  x');
});

test('text from outside cannot steer the terminal', () => {
  expect(plainText('\u001b[2Ja\u0007b\u001b]0;title\u0007c\r\nd\te\u202e\u009b')).toBe('abc\nd\te');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf, clean, truncate, wrap } from './text-cells.ts';

const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('日本語', '👩‍👩‍👧', '\u001b[31mred'));

test('a cut text never takes more cells than it may, whatever it holds', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 30 }), (value, cells) => {
      expect(cellsOf(truncate(clean(value), cells))).toBeLessThanOrEqual(cells);
    }),
  );
});

test('a text that fits is not cut, one that does not ends with an ellipsis', () => {
  expect(truncate('exactly', 7)).toBe('exactly');
  expect(truncate('too long', 7)).toBe('too lo…');
  expect(truncate('日本語', 5)).toBe('日本…');
  expect(truncate('日本語', 4)).toBe('日…');
  expect(truncate('any', 0)).toBe('');
});

test('wrapped lines fit their width and lose nothing but spaces at line ends', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 3, max: 20 }), (value, cells) => {
      const cleaned = clean(value);
      const lines = wrap(cleaned, cells);
      for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(cells);
      expect(lines.join('').replaceAll(' ', '')).toBe(cleaned.replaceAll(' ', ''));
    }),
  );
});

test('lines break at spaces; a word longer than a line is split', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrap('  indented text', 20)).toEqual(['  indented text']);
  expect(wrap('', 10)).toEqual(['']);
});

test('a character too wide for the line does not hold up the rest of the screen', () => {
  expect(wrap('\u{1d160}\u{1d161}', 1).join('')).toBe('\u{1d160}\u{1d161}');
});

test('cleaned text holds no control characters, no escape sequences and no direction marks', () => {
  expect(clean('a\u001b[2Jb\u001b]0;title\u0007c\u202ed\r\n\u0000')).toBe('abcd');
  expect(clean('tab\there')).toBe('tab    here');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      expect(clean(value)).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('joined emoji fall apart into pieces whose width is the same everywhere', () => {
  expect(clean('👩‍👧 👍🏽 ⚠️ 1️⃣ 🇩🇪')).toBe('👩👧 👍 ⚠ 1 DE');
  expect(clean('नमस्ते क्‍ष')).toBe('नमस्ते क्‍ष');
});

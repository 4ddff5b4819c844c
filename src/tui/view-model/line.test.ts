import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOfLine, fitLine, joinLines, padLine, span, spreadLine, textOf } from './line.ts';

const line = fc.array(
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) => span(text)),
  { maxLength: 6 },
);

test('a fitted line is never wider than it may be, a padded and a spread one exactly as wide', () => {
  fc.assert(
    fc.property(line, line, fc.integer({ min: 0, max: 40 }), (left, right, width) => {
      expect(cellsOfLine(fitLine(left, width))).toBeLessThanOrEqual(width);
      expect(cellsOfLine(padLine(left, width))).toBe(width);
      expect(cellsOfLine(spreadLine(left, right, width))).toBe(width);
    }),
  );
});

test('what is cut off shows as an ellipsis, also between pieces', () => {
  expect(textOf(fitLine([span('one '), span('two')], 7))).toBe('one two');
  expect(textOf(fitLine([span('one '), span('two')], 6))).toBe('one t…');
  expect(textOf(fitLine([span('one '), span('two')], 4))).toBe('one…');
});

test('joined pieces have a dot between them; empty ones leave none', () => {
  expect(textOf(joinLines([[span('a')], [], [span('b')]]))).toBe('a · b');
});

test('of two texts on one line the right one stays whole', () => {
  expect(textOf(spreadLine([span('a long text on the left')], [span('right')], 16))).toBe('a long t…  right');
});

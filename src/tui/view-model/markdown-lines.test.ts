import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOfLine, textOf } from './line.ts';
import { markdownLines } from './markdown-lines.ts';

test('headings stand out, code steps back, lists hang, comments and bold marks are gone', () => {
  const text =
    '# Title\n\n\nSome **bold** text\n- a list item that is long\n```js\nconst a = 1;\n```\n<!-- decree:run 1.2 -->\n';
  expect(markdownLines(text, 16).map((line) => [textOf(line), line[0]?.tone])).toEqual([
    ['Title', 'strong'],
    ['', undefined],
    ['Some bold text', 'plain'],
    ['- a list item', 'plain'],
    ['  that is long', 'plain'],
    ['  const a = 1;', 'dim'],
  ]);
});

test('whatever a description holds, every line fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 10, max: 60 }), (text, width) => {
      for (const line of markdownLines(text, width)) expect(cellsOfLine(line)).toBeLessThanOrEqual(width);
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchClosingKeywords } from './match-closing-keywords.ts';

const match = (body: string) => matchClosingKeywords(body, { owner: 'Acme', repo: 'shop.web' });

describe('matchClosingKeywords', () => {
  test.each(['Closes', 'Close', 'Closed', 'Fixes', 'Fix', 'Fixed', 'Resolves', 'Resolve', 'Resolved'])(
    'understands %s in any case',
    (keyword) => {
      expect(match(`${keyword} #5`)).toEqual(['5']);
      expect(match(keyword.toLowerCase() + ' #5')).toEqual(['5']);
      expect(match(keyword.toUpperCase() + ' #5')).toEqual(['5']);
    },
  );

  test.each([
    'Closes: #5',
    '**Closes #5**',
    '- a list\n-- closes #5',
    '_fixes #5_',
    '(fixes #5)',
    '- [x] closes #5.',
    'This PR closes #5, and more',
    '> Closes #5',
    'closes acme/shop.web#5',
    'closes Acme/Shop.Web#5',
    'resolves https://github.com/acme/shop.web/issues/5',
    'resolves http://127.0.0.1:8080/Acme/shop.web/issues/5#issuecomment-1',
    'closes GH-5',
    'text\r\n\r\nCloses #5\r\n',
    'Intro `unclosed\n\nCloses #5\n\nand ` again',
    '- a stray ` tick\n- closes #5 `',
    '`code` closes #5 `more code`',
    '<!-- hidden --> closes #5',
    '<!--\n```\n-->\nCloses #5',
    '```\ncode\n```\nCloses #5',
    '~~~\n```\n~~~\ncloses #5',
    '``` inline ``` closes #5',
    'An <!-- unclosed comment in a line, closes #5',
    'A paragraph\n    closes #5',
    '- an item\n\n    closes #5',
    '1. an item\n\n    its second part\n\n    closes #5',
    '    code\ncloses #5',
    '    ```\n\ncloses #5',
  ])('finds the reference in %j', (body) => {
    expect(match(body)).toEqual(['5']);
  });

  test.each([
    'prefixes #5',
    'unresolved #5',
    'auto-closes #5',
    'fixes_ #5',
    'my_fixes #5',
    'Closes #5_a',
    'éfixes #5',
    'Closes #5a',
    'Closes #05',
    'Closes # 5',
    'Closes#5',
    'Closes issue #5',
    '#5 closes',
    'closes other/repo#5',
    'closes https://github.com/other/repo/issues/5',
    'closes https://github.com/acme/shop.web/pull/5',
    '`Closes #5`',
    '``a ` Closes #5``',
    '```\nCloses #5\n```',
    '````md\n```\nCloses #5\n```\n````',
    '~~~\nCloses #5\n~~~',
    '- item\n  ```\n  Closes #5\n  ```',
    '```\nCloses #5',
    '<!-- Closes #5 -->',
    '<!--\nCloses #5\n-->',
    '<!--\nCloses #5',
    '`Closes\n#5`',
    '    Closes #5',
    'An example:\n\n    Closes #5\n\n    Closes #5',
    'An example:\n\n\tCloses #5',
    '- a list\n\nAn example:\n\n    Closes #5',
    '',
  ])('finds nothing in %j', (body) => {
    expect(match(body)).toEqual([]);
  });

  test('[GHP-17] a number is taken whole', () => {
    expect(match('Closes #1001')).toEqual(['1001']);
    expect(match('Closes #1001.')).toEqual(['1001']);
  });

  test('[GHP-49] several references come in the order of the text, each once', () => {
    expect(match('Closes #10 and Fixes #20, closes #10')).toEqual(['10', '20']);
  });

  test('no text makes it throw or hang', () => {
    const piece = fc.constantFrom('`', '```', '\n', '<!--', '-->', 'Closes #5', ' ', '~~~', '- ', '> ', 'x', '\r\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(match(pieces.join('')).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['backticks of every length', Array.from({ length: 340 }, (_, n) => `${'`'.repeat(n + 1)} `).join('')],
    ['pairs of ticks that never close', '` `` '.repeat(12_000)],
    ['opened comments', '<!-- '.repeat(12_000)],
    ['keywords', 'closes '.repeat(8_600)],
    ['slashes', `closes ${'a/'.repeat(30_000)}`],
    ['dots', `closes ${'.'.repeat(60_000)}`],
  ])('60 KB of %s are read in the end', (_, body) => {
    expect(match(body)).toEqual([]);
  });
});

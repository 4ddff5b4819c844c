import { expect, test } from 'vitest';
import { closingReferences } from './closing-references.ts';

const numbers = (text: string) => closingReferences(text).map(({ number }) => number);

test.each([
  ['Closes #5', [5]],
  ['closed #5 and FIXES #6, resolve #7', [5, 6, 7]],
  ['Closes: #5', [5]],
  ['**Closes #5**', [5]],
  ['_fixes #5_', [5]],
  ['- [x] fixed #5.', [5]],
  ['closes #5, closes #5', [5, 5]],
  ['Closes GH-5', [5]],
  ['fixes Human/Project#5', [5]],
  ['fixes http://127.0.0.1:4000/human/project/issues/5', [5]],
])('%j names %j', (text, expected) => {
  expect(numbers(text)).toEqual(expected);
});

test.each([
  '',
  '#5',
  'closes 5',
  'closes#5',
  'prefixes #5',
  'auto-closes #5',
  'closing #5',
  'Resolves\n#5',
  '```closes #5',
  'closes issue #5',
  'closes #5th',
  '`closes #5`',
  '``closes #5 ` closes #6``',
  '```\ncloses #5\n```',
  'text\n~~~ts\ncloses #5\n~~~\nmore',
  '```\ncloses #5 in a block that never ends',
  '<!-- closes #5 -->',
  '<!--\ncloses #5\nno end',
])('%j names nothing', (text) => {
  expect(numbers(text)).toEqual([]);
});

test('what stands after code and comments counts again', () => {
  expect(numbers('```\ncloses #1\n```\ncloses #2 `closes #3` <!-- closes #4 --> closes #5')).toEqual([2, 5]);
});

test('another repository is named with its issue', () => {
  const text = 'closes other/project#5, fixes http://127.0.0.1/human/other/issues/6, resolves #7';
  expect(closingReferences(text)).toEqual([
    { repository: 'other/project', number: 5 },
    { repository: 'human/other', number: 6 },
    { repository: null, number: 7 },
  ]);
});

import { expect, test } from 'vitest';
import { textOf } from './line.ts';
import { outputWindow } from './live-output.ts';

const tail = Array.from({ length: 100 }, (_, index) => `line ${index}`);

function window(scrolledBack: number, height = 3): string[] {
  return outputWindow(tail, scrolledBack, 20, height).map(textOf);
}

test('the newest lines are shown, scrolled back older ones, and no further than the oldest', () => {
  expect(window(0)).toEqual(['line 97', 'line 98', 'line 99']);
  expect(window(10)).toEqual(['line 87', 'line 88', 'line 89']);
  expect(window(1000)).toEqual(['line 0', 'line 1', 'line 2']);
});

test('long lines are wrapped, and their ends are what is shown', () => {
  expect(outputWindow(['one two three four'], 0, 8, 2).map(textOf)).toEqual(['three', 'four']);
});

test('a short output is shown from its beginning', () => {
  expect(outputWindow(['a', 'b'], 5, 10, 4).map(textOf)).toEqual(['a', 'b']);
});

import { expect, test } from 'vitest';
import { createNoticeTeller } from './create-notice-teller.ts';

test('a notice is told when it appears, not while it lasts, and again when it comes back', () => {
  const told: string[] = [];
  const look = createNoticeTeller((notice) => told.push(notice));
  look(['issues: the forge is away']);
  look(['issues: the forge is away']);
  look([]);
  look(['issues: the forge is away']);
  expect(told).toEqual(['issues: the forge is away', 'issues: the forge is away']);
});

test('many that differ in their numbers only are told as one', () => {
  const told: string[] = [];
  const look = createNoticeTeller((notice) => told.push(notice));
  look(['startRun of #1 waits: no', 'startRun of #2 waits: no']);
  look(['startRun of #2 waits: no', '3 runs wait: the budget is used up']);
  look(['4 runs wait: the budget is used up']);
  expect(told).toEqual(['startRun of #1 waits: no', '3 runs wait: the budget is used up']);
});

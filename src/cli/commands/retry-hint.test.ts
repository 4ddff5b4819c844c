import { expect, test } from 'vitest';
import { retryHint } from './retry-hint.ts';

const retries = [
  { workItemID: null, at: 1_000 },
  { workItemID: '9', at: 1_000 },
  { workItemID: '7', at: 91_000 },
];

test.each([
  ['an item that is tried again', { issueNumber: 7 }, '  (tries again in 1 min 30 s)'],
  ['a planner that a shutdown ended', {}, ''],
  ['an item that a shutdown ended', { issueNumber: 9 }, ''],
  ['an item that waits for a person', { issueNumber: 8 }, ''],
])('the failure of %s', (_, event, hint) => {
  expect(retryHint(event, retries, 1_000)).toBe(hint);
});

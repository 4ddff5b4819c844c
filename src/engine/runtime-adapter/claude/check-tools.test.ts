import { expect, test } from 'vitest';
import { checkTools } from './check-tools.ts';

test('a session with a tool beyond the list is stopped', () => {
  expect(() => checkTools({ tools: ['Read', 'WebFetch'] }, ['Read', 'Bash'])).toThrow(/WebFetch/);
});

test('a session with fewer tools may go on', () => {
  expect(() => checkTools({ tools: ['Read'] }, ['Read', 'Bash'])).not.toThrow();
});

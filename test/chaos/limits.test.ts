import { expect, test } from 'vitest';
import { raceDispatches } from './limits.ts';

test('a hundred racing dispatches with room for three: never more than three agents at once, also across a SIGKILL', async () => {
  expect(await raceDispatches(10, 3)).toEqual([]);
}, 120_000);

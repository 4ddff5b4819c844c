import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishBesideOthers, publishCases } from './publishing-cases.ts';
import { createPublishingWorld, type PublishingWorld } from './publishing-world.ts';

let world: PublishingWorld;

beforeAll(async () => {
  world = await createPublishingWorld();
});

afterAll(() => world.close());

test('whatever an agent does to its files, the pull request holds the very tree of its worktree', async () => {
  const cases = await publishCases(world, 1, 60);
  expect(cases.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(cases).toHaveLength(60);
}, 240_000);

test.each(['branch', 'default branch'] as const)(
  'with the %s moved meanwhile, the result is what git merges, and conflicts are where git has them',
  async (moved) => {
    const cases = [];
    for (let seed = 1; seed <= 6; seed += 1) cases.push(await publishBesideOthers(world, seed, moved));
    expect(cases.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(new Set(cases.map(({ isConflict }) => isConflict))).toEqual(new Set([true, false]));
  },
  120_000,
);

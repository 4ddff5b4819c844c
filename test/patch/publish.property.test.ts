import { afterAll, beforeAll, expect, test } from 'vitest';
import { PatchError } from '../../src/domain/provider-error.ts';
import { mutatePatch } from './mutate-patch.ts';
import { publishBesideOthers, publishCases } from './publishing-cases.ts';
import { createPublishingWorld, type PublishingWorld } from './publishing-world.ts';
import { createRandom } from './random-repository.ts';
import { createWorkshop } from './workshop.ts';

let world: PublishingWorld;

beforeAll(async () => {
  world = await createPublishingWorld();
});

afterAll(() => world.close());

test('whatever an agent does to its files, the pull request holds the very tree of its worktree', async () => {
  const cases = await publishCases(world, 1, 25);
  expect(cases.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(cases).toHaveLength(25);
}, 240_000);

test('a damaged patch is refused with a typed error before any ref moves, unless it still gives the very same tree', async () => {
  const random = createRandom(7);
  const shop = createWorkshop(world);
  const before = { 'a.txt': 'one\ntwo\n', 'b c.txt': 'x\n', bin: Buffer.from([0, 1, 2]) };
  const made = await shop.work(before, { 'a.txt': 'one\n2\n', 'd.txt': 'new\n', bin: Buffer.from([0, 1, 3]) });
  let refused = 0;
  for (let index = 0; index < 30; index += 1) {
    world.forge.proxy.reset();
    const patch = mutatePatch(random, Buffer.from(made.patch)).toString();
    const options = { ...made.exact, key: `damaged.${index}` };
    const outcome = await shop
      .publish({ ...made, patch }, `damaged-${index}`, options)
      .catch((error: unknown) => error);
    const isRefused = outcome instanceof PatchError;
    const moves = shop.writes().filter((request) => /\/(?:refs|merges|pulls)$/.test(request));
    expect({ patch, moves: moves.length }).toEqual({ patch, moves: isRefused ? 0 : 2 });
    refused += Number(isRefused);
  }
  expect(refused).toBeGreaterThan(20);
}, 120_000);

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

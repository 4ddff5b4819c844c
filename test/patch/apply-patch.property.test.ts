import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOurs, compareOnBase, compareOnDrift, compareOnRepeats, damagedPatches } from './apply-cases.ts';
import { createGitOracle, type GitOracle } from './git-oracle.ts';

const SEEDS = Array.from({ length: 30 }, (_, index) => index + 1);

let git: GitOracle;

beforeAll(() => {
  git = createGitOracle();
});

afterAll(() => {
  git.dispose();
});

test('patches made with any options of git give what git apply gives, and are refused where git refuses', () => {
  const verdicts = SEEDS.map((seed) => ({ seed, ...compareOnBase(git, seed) }));
  expect(verdicts.filter(({ isSame }) => !isSame)).toEqual([]);
  expect(verdicts.filter(({ gits }) => gits === 'applied').length).toBeGreaterThan(SEEDS.length / 2);
});

test('on files that have moved on, patches fit where git apply makes them fit, and nowhere else', () => {
  const verdicts = SEEDS.map((seed) => ({ seed, ...compareOnDrift(git, seed) }));
  expect(verdicts.filter(({ isSame }) => !isSame)).toEqual([]);
  expect(verdicts.filter(({ gits }) => gits === 'applied').length).toBeGreaterThan(SEEDS.length / 5);
  expect(verdicts.filter(({ gits }) => gits === 'refused').length).toBeGreaterThan(SEEDS.length / 5);
});

test('where many places look alike, the one that git apply takes is taken', () => {
  const verdicts = SEEDS.map((seed) => ({ seed, ...compareOnRepeats(git, seed) }));
  expect(verdicts.filter(({ isSame }) => !isSame)).toEqual([]);
  expect(verdicts.filter(({ gits }) => gits === 'applied').length).toBeGreaterThan(SEEDS.length / 4);
});

test('damaged patches end in a typed error or a complete result', () => {
  let errors = 0;
  for (const { patch, before } of damagedPatches(git, 1, 1_000)) {
    if (typeof applyOurs(patch, before) === 'string') errors += 1;
  }
  expect(errors).toBeGreaterThan(500);
});

/**
 * The property tests at length: `node test/patch/fuzz.ts --cases 1000 --seed 1`. Prints each case that went wrong with
 * its seed, and exits with 1 if there was one.
 */
import { parseArgs } from 'node:util';
import { applyOurs, compareOnBase, compareOnDrift, compareOnRepeats, damagedPatches } from './apply-cases.ts';
import { createGitOracle } from './git-oracle.ts';
import { publishBesideOthers, publishCases } from './publishing-cases.ts';
import { createPublishingWorld } from './publishing-world.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const cases = Number(values.cases);
const firstSeed = Number(values.seed);
const seeds = (count: number): number[] => Array.from({ length: count }, (_, index) => firstSeed + index);

/** Repositories in one push. */
const BATCH = 50;

function report(what: string, count: number, failures: readonly object[]): void {
  console.log(`${count - failures.length} of ${count} ${what}`);
  for (const failure of failures) console.log(failure);
  if (failures.length > 0) process.exitCode = 1;
}

async function fuzzPublishing(): Promise<void> {
  const world = await createPublishingWorld({ rateLimit: 1_000_000 });
  try {
    const published = [];
    for (let done = 0; done < cases; done += BATCH) {
      published.push(...(await publishCases(world, firstSeed + done, Math.min(BATCH, cases - done))));
    }
    report(
      'worktrees were published byte for byte',
      cases,
      published.filter(({ problem }) => problem !== null),
    );
    for (const moved of ['branch', 'default branch'] as const) {
      const beside = [];
      for (const seed of seeds(Math.ceil(cases / 10))) beside.push(await publishBesideOthers(world, seed, moved));
      const conflicts = beside.filter(({ isConflict }) => isConflict).length;
      const what = `published as git merges them while the ${moved} moved (${conflicts} conflicts)`;
      report(
        what,
        beside.length,
        beside.filter(({ problem }) => problem !== null),
      );
    }
  } finally {
    await world.close();
  }
}

function fuzzApplying(): void {
  const git = createGitOracle();
  try {
    for (const [where, compare] of [
      ['where they were made', compareOnBase],
      ['on changed files', compareOnDrift],
      ['where many places look alike', compareOnRepeats],
    ] as const) {
      const verdicts = seeds(cases).map((seed) => ({ seed, ...compare(git, seed) }));
      report(
        `patches fared as with git apply ${where}`,
        cases,
        verdicts.filter(({ isSame }) => !isSame),
      );
    }
    const slow = [];
    let errors = 0;
    for (const { patch, before } of damagedPatches(git, firstSeed, cases * 10)) {
      const started = performance.now();
      if (typeof applyOurs(patch, before) === 'string') errors += 1;
      const ms = performance.now() - started;
      if (ms > 1_000) slow.push({ ms, patch: patch.toString('latin1') });
    }
    report(`damaged patches ended at once (${errors} with a typed error)`, cases * 10, slow);
  } finally {
    git.dispose();
  }
}

fuzzApplying();
await fuzzPublishing();

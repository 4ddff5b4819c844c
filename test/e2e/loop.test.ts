import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDemo } from '../../src/demo/run-demo.ts';
import type { DemoResult } from '../../src/demo/run-demo.ts';
import { gitText } from '../git-text.ts';

/** The whole loop over real HTTP, git and SQLite; the assertions look at what is left in the forge's repository. */
let folder = '';
let result: DemoResult | null = null;
const lines: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-loop-'));
  const silent = () => {};
  result = await runDemo({
    folder,
    print: (line) => lines.push(line),
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    environment: { PATH: process.env['PATH'] ?? '', HOME: folder },
    paceMs: 0,
    timeoutMs: 60_000,
  });
}, 90_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

function git(...args: string[]): Promise<string> {
  return gitText(path.join(folder, 'forge', 'repository.git'), ...args);
}

test('an approved spec becomes three closed work items, one of them after a round of changes', () => {
  expect(result?.isComplete).toBe(true);
  expect(
    result?.items.map(({ title, status, implementorRuns, reviews }) => [title, status, implementorRuns, reviews]),
  ).toEqual([
    ['Convert temperatures', 'closed', 1, 1],
    ['Convert distances', 'closed', 2, 2],
    ['A command for both', 'closed', 1, 1],
  ]);
});

test('every pull request holds exactly the files that its agent made', async () => {
  const merges = (await git('log', '--merges', '--reverse', '--format=%H', 'main')).trim().split('\n');
  const changes = await Promise.all(merges.map((sha) => git('diff', '--name-status', `${sha}^1...${sha}^2`)));
  expect(changes.map((change) => change.trim().split('\n'))).toEqual([
    ['A\tsrc/temperature.js', 'A\ttest/temperature.test.js'],
    ['A\tsrc/distance.js', 'A\ttest/distance.test.js'],
    ['A\tbin/measure.js', 'A\ttest/measure.test.js'],
  ]);
});

test('the default branch ends with the files that the agents wrote, byte for byte', async () => {
  const files = (await git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')).trim().split('\n');
  expect(files).toEqual([
    '100644 .gitignore',
    '100644 README.md',
    '100755 bin/measure.js',
    '100644 docs/specs/unit-converter.md',
    '100644 package.json',
    '100644 src/distance.js',
    '100644 src/round.js',
    '100644 src/temperature.js',
    '100644 test/distance.test.js',
    '100644 test/measure.test.js',
    '100644 test/round.test.js',
    '100644 test/temperature.test.js',
  ]);
  expect(await git('show', 'main:src/distance.js')).toBe(
    "import { round } from './round.js';\n\nexport function kilometresToMiles(value) {\n" +
      "  if (value < 0) throw new RangeError('a distance cannot be below zero');\n  return round(value * 0.621371);\n}\n",
  );
});

test('the dependent item started only after both of its blockers were merged', () => {
  const at = (text: string) => lines.findIndex((line) => line.includes(text));
  const started = at('#3 A command for both: in-progress');
  expect(at('#1 Convert temperatures: closed')).toBeLessThan(started);
  expect(at('#2 Convert distances: closed')).toBeLessThan(started);
  expect(at('#1 Convert temperatures: closed')).toBeGreaterThan(-1);
});

test('nothing is left behind in the checkout: no worktree, no branch, no change', async () => {
  const checkout = path.join(folder, 'measure');
  expect(await gitText(checkout, 'branch', '--format=%(refname:short)')).toBe('main\n');
  expect(await gitText(path.join(checkout, '.decree', 'repo.git'), 'worktree', 'list', '--porcelain')).not.toContain(
    '.worktrees',
  );
});

import { randomBytes } from 'node:crypto';
import { applyPatch } from '../src/patch/apply-patch.ts';
import { createGitOracle, type GitOracle } from '../test/patch/git-oracle.ts';
import { createPublishingWorld } from '../test/patch/publishing-world.ts';
import type { Snapshot } from '../test/patch/random-repository.ts';
import { createWorkshop } from '../test/patch/workshop.ts';

export interface ApplyingRow {
  readonly what: string;
  readonly ms: number;
  /** What `git apply` takes for the same, its start included. */
  readonly gitMs: number;
  /** `ms` over `gitMs`. */
  readonly ratio: number;
}

export interface PublishingRow {
  readonly files: number;
  /** All that `createFromPatch` sends for a new revision, signing in included. */
  readonly requests: number;
}

export interface PatchBench {
  readonly applying: readonly ApplyingRow[];
  readonly publishing: readonly PublishingRow[];
}

/** How fast patches are parsed, applied and verified, over `git apply`; and what publishing them costs. */
export async function benchPatch(rounds = 5): Promise<PatchBench> {
  return { applying: benchApplying(rounds), publishing: await benchPublishing([1, 10, 500]) };
}

const MIB = 1024 * 1024;

function benchApplying(rounds: number): ApplyingRow[] {
  const lines = (count: number, text: string) => `${text}\n`.repeat(count);
  const small = (text: string) =>
    toSnapshot(Array.from({ length: 500 }, (_, index) => [`src/${index}.ts`, lines(100, `${index} ${text}`)]));
  const text = lines(100_000, 'x'.repeat(99));
  const bytes = randomBytes(10 * MIB);
  const git = createGitOracle();
  try {
    return [
      measure(git, rounds, '500 small files', small('old'), small('new')),
      measure(git, rounds, 'one line in 10 MB of text', toSnapshot([['a', text]]), toSnapshot([['a', `${text}end\n`]])),
      measure(
        git,
        rounds,
        '10 MiB of new binary',
        toSnapshot([['x', 'x']]),
        toSnapshot([
          ['x', 'x'],
          ['b', bytes],
        ]),
      ),
    ];
  } finally {
    git.dispose();
  }
}

function measure(git: GitOracle, rounds: number, what: string, before: Snapshot, after: Snapshot): ApplyingRow {
  const [from = '', to = ''] = git.store(before, after);
  const patch = git.diff(['--binary', '--full-index', '--no-renames', '--unified=1000000000'], from, to);
  const ours: number[] = [];
  const gits: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(timed(() => applyPatch(patch, (path) => before.get(path) ?? null)));
    git.run(['read-tree', from]);
    gits.push(timed(() => git.run(['apply', '--cached', '--whitespace=nowarn'], patch)));
  }
  const [ms, gitMs] = [median(ours), median(gits)];
  return { what, ms, gitMs, ratio: ms / gitMs };
}

async function benchPublishing(counts: readonly number[]): Promise<PublishingRow[]> {
  const world = await createPublishingWorld();
  const shop = createWorkshop(world);
  try {
    const rows: PublishingRow[] = [];
    for (const files of counts) {
      const all = (text: string) =>
        Object.fromEntries(Array.from({ length: files }, (_, index) => [`src/${index}.ts`, `${index} ${text}\n`]));
      const { patch, exact } = await shop.work(all('old'), all('new'));
      const { revisionWriter } = world.forge.provider();
      world.forge.proxy.reset();
      await revisionWriter.createFromPatch(world.workItemID, patch, `files-${files}`, exact);
      rows.push({ files, requests: shop.requests().length });
    }
    return rows;
  } finally {
    await world.close();
  }
}

function toSnapshot(files: readonly (readonly [string, string | Buffer])[]): Snapshot {
  return new Map(files.map(([path, content]) => [path, { mode: '100644', content: Buffer.from(content) }]));
}

function timed(act: () => unknown): number {
  const begin = performance.now();
  act();
  return performance.now() - begin;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

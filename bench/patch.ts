import { randomBytes } from 'node:crypto';
import { applyPatch } from '../src/patch/apply-patch.ts';
import { createGitOracle, type GitOracle } from '../test/patch/git-oracle.ts';
import type { Snapshot } from '../test/patch/random-repository.ts';
import type { Benchmark, Finding } from './harness/benchmark.ts';
import { finding, inTurns, timed } from './harness/measure.ts';

const MIB = 1024 * 1024;

/** Parsing, applying and verifying patches, over `git apply` with its start. */
export const patch: Benchmark = {
  name: 'patch',
  asks: 'applying a patch, over `git apply`',
  run: async ({ scale }) => {
    const [rounds, files, size] = scale === 'full' ? [9, 500, 10] : [1, 5, 0.01];
    const lines = (count: number, text: string) => `${text}\n`.repeat(count);
    const small = (text: string) =>
      toSnapshot(Array.from({ length: files }, (_, index) => [`src/${index}.ts`, lines(100, `${index} ${text}`)]));
    const text = lines(size * 10_000, 'x'.repeat(99));
    const old = ['x', 'x'] as const;
    const git = createGitOracle();
    try {
      const compare = (what: string, before: Snapshot, after: Snapshot) => measure(git, rounds, what, before, after);
      return [
        await compare(`${files} small files`, small('old'), small('new')),
        await compare(`one line in ${size} MB of text`, toSnapshot([['a', text]]), toSnapshot([['a', `${text}end\n`]])),
        await compare(
          `${size} MiB of new binary`,
          toSnapshot([old]),
          toSnapshot([old, ['b', randomBytes(size * MIB)]]),
        ),
      ];
    } finally {
      git.dispose();
    }
  },
};

async function measure(
  git: GitOracle,
  rounds: number,
  what: string,
  before: Snapshot,
  after: Snapshot,
): Promise<Finding> {
  const [from = '', to = ''] = git.store(before, after);
  const text = git.diff(['--binary', '--full-index', '--no-renames', '--unified=1000000000'], from, to);
  const values = await inTurns(rounds, {
    ours: () => timed(() => applyPatch(text, (path) => before.get(path) ?? null)),
    git: () => {
      git.run(['read-tree', from]);
      return timed(() => git.run(['apply', '--cached', '--whitespace=nowarn'], text));
    },
  });
  return finding({ what, unit: 'ms', ours: values.ours, baseline: { name: '`git apply`', values: values.git } });
}

function toSnapshot(files: readonly (readonly [string, string | Buffer])[]): Snapshot {
  return new Map(files.map(([path, content]) => [path, { mode: '100644', content: Buffer.from(content) }]));
}

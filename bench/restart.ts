import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createEngine } from '../src/engine/create-engine.ts';
import { createFakeForge } from '../test/engine/fake-forge.ts';
import { createFakeRuntime } from '../test/engine/fake-runtime.ts';
import { fillJournal, item } from '../test/journal/large-journal.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { finding, inTurns, timed } from './harness/measure.ts';

/** From nothing to a started engine that has read its journal and a forge that answers at once. */
export const restart: Benchmark = {
  name: 'restart',
  asks: 'the start of an engine with a long history, over bare SQLite reading the same file',
  run: async ({ scale }) => {
    const [events, items, rounds] = scale === 'full' ? [100_000, 300, 5] : [200, 10, 1];
    const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-bench-'));
    const original = path.join(folder, 'original.db');
    try {
      await fillJournal(original, { events, items, runs: Math.ceil(events / 100) });
      let copies = 0;
      const values = await inTurns(rounds, {
        ours: async () => {
          const repoRoot = path.join(folder, String(copies++));
          await mkdir(path.join(repoRoot, '.decree'), { recursive: true });
          await copyFile(original, path.join(repoRoot, '.decree', 'journal.db'));
          return measureStart(repoRoot, items);
        },
        bare: () => timed(() => readPages(original)),
      });
      const what = `start with ${events.toLocaleString('en')} events and ${items} items`;
      const baseline = { name: 'bare SQLite reads every page', values: values.bare };
      const wanted = { of: 'value', is: 'at most', limit: 2_000 } as const;
      return [finding({ what, unit: 'ms', ours: values.ours, baseline, wanted })];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function measureStart(repoRoot: string, items: number): Promise<number> {
  const forge = createFakeForge();
  for (let number = 1; number <= items; number++) forge.addItem(item(number));
  const begin = performance.now();
  const engine = createEngine({
    config: { forge: 'embedded' },
    provider: forge.provider,
    runtime: () => createFakeRuntime().adapter,
    repoRoot,
    listLagMs: 0,
  });
  await engine.start();
  const ms = performance.now() - begin;
  await engine.stop();
  return ms;
}

function readPages(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  db.prepare('PRAGMA quick_check(1)').get();
  db.close();
}

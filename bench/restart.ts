import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createEngine } from '../src/engine/create-engine.ts';
import { createFakeForge } from '../test/engine/fake-forge.ts';
import { createFakeRuntime } from '../test/engine/fake-runtime.ts';
import { fillJournal, item } from '../test/journal/large-journal.ts';
import type { Benchmark, Finding, Scale } from './harness/benchmark.ts';
import { finding, inTurns, timed } from './harness/measure.ts';

/** From nothing to a started engine that has read its journal and a forge that answers at once. */
export const restart: Benchmark = {
  name: 'restart',
  asks: 'the start of an engine with a long history, and with many items, over what SQLite alone takes',
  run: async ({ scale }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-bench-'));
    try {
      return [await longHistory(folder, scale), await manyItems(folder, scale)];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function longHistory(folder: string, scale: Scale): Promise<Finding> {
  const [events, items, rounds] = scale === 'full' ? [100_000, 300, 5] : [200, 10, 1];
  const original = path.join(folder, 'original.db');
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
  return finding({
    what: `start with ${events.toLocaleString('en')} events and ${items} items`,
    unit: 'ms',
    ours: values.ours,
    baseline: { name: 'bare SQLite reads every page', values: values.bare },
    wanted: { of: 'value', is: 'at most', limit: 2_000 },
  });
}

/** Every item that is read is an event; those of one listing share their way to the disk. */
async function manyItems(folder: string, scale: Scale): Promise<Finding> {
  const [items, rounds] = scale === 'full' ? [10_000, 3] : [10, 1];
  const texts = Array.from({ length: items }, (_, index) => JSON.stringify(item(index + 1)));
  let started = 0;
  const values = await inTurns(rounds, {
    ours: () => measureStart(path.join(folder, `many-${started++}`), items),
    bare: () => timed(() => insertAll(path.join(folder, `bare-${started}.db`), texts)),
  });
  const baseline = { name: 'bare SQLite stores as many rows one by one', values: values.bare };
  return finding({ what: `start with ${items.toLocaleString('en')} items`, unit: 'ms', ours: values.ours, baseline });
}

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

function insertAll(file: string, texts: readonly string[]): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS rows (body TEXT)');
  const insert = db.prepare('INSERT INTO rows (body) VALUES (?)');
  for (const text of texts) insert.run(text);
  db.close();
}

function readPages(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  db.prepare('PRAGMA quick_check(1)').get();
  db.close();
}

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JournalEntry } from '../src/engine/journal-port.ts';
import { createSqliteJournal } from '../src/journal/create-sqlite-journal.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { finding, inTurns } from './harness/measure.ts';
import { createLoop } from './loop.ts';

/** Events that are on the disk one by one, over bare SQLite storing the same text with the same durability. */
export const journal: Benchmark = {
  name: 'journal',
  asks: 'events a second that are safely on the disk, over bare SQLite with rows of the same size',
  run: async ({ scale }) => {
    const [events, rounds] = scale === 'full' ? [100, 31] : [5, 1];
    const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-bench-'));
    const ours = createSqliteJournal(path.join(folder, 'journal.db'));
    const bare = openBare(path.join(folder, 'bare.db'));
    const insert = bare.prepare('INSERT INTO entries (seq, body) VALUES (?, ?)');
    try {
      const entries = recordDay(events * (rounds + 1));
      const texts = entries.map((entry) => JSON.stringify(entry));
      let [written, inserted] = [0, 0];
      const values = await inTurns(rounds, {
        ours: () =>
          perSecond(events, async () => {
            for (const entry of entries.slice(written, (written += events))) await ours.append(entry);
          }),
        bare: () =>
          perSecond(events, () => {
            for (const text of texts.slice(inserted, (inserted += events))) insert.run(null, text);
          }),
      });
      const baseline = { name: 'bare SQLite (WAL, synchronous=FULL)', values: values.bare };
      const wanted = { of: 'ratio', is: 'at least', limit: 0.5 } as const;
      return [finding({ what: 'events of a working day', unit: 'events/s', ours: values.ours, baseline, wanted })];
    } finally {
      await ours.close();
      bare.close();
      await rm(folder, { recursive: true });
    }
  },
};

function openBare(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  const table = 'CREATE TABLE entries (seq INTEGER PRIMARY KEY, body TEXT)';
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${table}`);
  return db;
}

/** What the loop hands to the journal on a day with a hundred items: with commands and changed rows. */
function recordDay(count: number): JournalEntry[] {
  const entries: JournalEntry[] = [];
  createLoop(100, count, (entry) => entries.push(entry))();
  return entries.slice(0, count);
}

async function perSecond(count: number, act: () => void | Promise<void>): Promise<number> {
  const begin = performance.now();
  await act();
  return count / ((performance.now() - begin) / 1000);
}

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSqliteJournal } from '../src/journal/create-sqlite-journal.ts';

export interface JournalBench {
  readonly eventsPerSecond: number;
  readonly barePerSecond: number;
  /** Ours over bare SQLite with the same durability. */
  readonly ratio: number;
}

/** Events a second that are on the disk one by one, over bare SQLite inserting the same text at the same durability. */
export async function benchJournal(events = 2_000): Promise<JournalBench> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-bench-'));
  const body = { type: 'blockerRead', workItemID: '1', closedAs: null } as const;
  const text = JSON.stringify(body);
  try {
    const bare = new DatabaseSync(path.join(folder, 'bare.db'));
    bare.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE e (seq INTEGER PRIMARY KEY, body TEXT)',
    );
    const insert = bare.prepare('INSERT INTO e (seq, body) VALUES (?, ?)');
    const journal = createSqliteJournal(path.join(folder, 'journal.db'));
    let [bareMs, ourMs] = [0, 0];
    // In turns, so that a busy moment of the machine meets both.
    for (let seq = 1; seq <= events; seq += 50) {
      const begin = performance.now();
      for (let n = seq; n < seq + 50; n++) insert.run(n, text);
      const middle = performance.now();
      for (let n = seq; n < seq + 50; n++) {
        const event = { seq: n, at: n, id: '00000000-0000-4000-8000-000000000000', readSeq: null, body };
        await journal.append({ event, commands: [], settles: null, rows: [] });
      }
      bareMs += middle - begin;
      ourMs += performance.now() - middle;
    }
    await journal.close();
    bare.close();
    const barePerSecond = events / (bareMs / 1000);
    const eventsPerSecond = events / (ourMs / 1000);
    return { eventsPerSecond, barePerSecond, ratio: eventsPerSecond / barePerSecond };
  } finally {
    await rm(folder, { recursive: true });
  }
}

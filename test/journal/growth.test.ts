import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync, constants } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJournalReader } from '../../src/journal/create-journal-reader.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';
import { LOG_LIMIT_BYTES, openDatabase } from '../../src/journal/open-database.ts';
import { entry } from '../contracts/journal.contract.test.ts';
import { fillJournal } from './large-journal.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-growth-'));
  file = path.join(folder, 'journal.db');
});
afterEach(() => rm(folder, { recursive: true }));

const bulky = { table: 'planned' as const, id: 'docs/specs/a.md', row: 'x'.repeat(2_000) };
const logSize = () => statSync(`${file}-wal`).size;

/** Not synced to the disk, to be quick: what is measured is size. */
function openQuickly() {
  const db = openDatabase(file);
  db.exec('PRAGMA synchronous = OFF');
  return { db, journal: createSqliteJournal(file, db) };
}

test('the file stays as it is, however much passes through it', async () => {
  const { db, journal } = openQuickly();
  const sizes: number[] = [];
  let seq = 0;
  for (let round = 0; round < 6; round++) {
    for (let n = 0; n < 500; n++) await journal.append(entry(++seq, { rows: [bulky] }));
    await journal.saveSnapshot({ seq, version: 1, body: 'a state '.repeat(20_000) });
    while (await journal.prune({ snapshots: 2, events: 500, resultsSince: 0 }));
    sizes.push(Number(db.prepare('PRAGMA page_count').get()?.['page_count']));
  }
  expect(sizes[5]).toBeLessThanOrEqual((sizes[2] ?? 0) + 5);
  await journal.close();
});

test('the write-ahead log stays small while somebody looks into the journal again and again', async () => {
  const { journal } = openQuickly();
  await journal.append(entry(1));
  const reader = createJournalReader(file);
  let [largest, seen] = [0, 0];
  for (let seq = 2; seq < 3_000; seq++) {
    await journal.append(entry(seq, { rows: [bulky] }));
    if (seq % 50 === 0) seen += reader.events(seq - 1, 10).length;
    largest = Math.max(largest, logSize());
  }
  // It is emptied every 1,000 pages of 4 KiB.
  expect(largest).toBeLessThan(LOG_LIMIT_BYTES);
  expect(seen).toBe(59);
  reader.close();
  await journal.close();
});

test('a reader that does not let go makes the log grow, but not for longer than it stays', async () => {
  const { journal } = openQuickly();
  await journal.append(entry(1));
  const stubborn = new DatabaseSync(file, { readOnly: true });
  stubborn.exec('BEGIN');
  stubborn.prepare('SELECT count(*) FROM events').get();
  let seq = 1;
  while (logSize() < LOG_LIMIT_BYTES * 1.5) await journal.append(entry(++seq, { rows: [bulky] }));
  stubborn.close();
  for (let n = 0; n < 50; n++) await journal.append(entry(++seq));
  expect(logSize()).toBeLessThanOrEqual(LOG_LIMIT_BYTES);
  await journal.close();
});

test('a start reads the numbers of events and nothing else of them', async () => {
  await fillJournal(file, { events: 500, items: 20, runs: 40 });
  const db = openDatabase(file);
  const read = new Set<string>();
  db.setAuthorizer((action, table, column) => {
    if (action === constants.SQLITE_READ) read.add(`${table}.${column}`);
    return constants.SQLITE_OK;
  });
  const journal = createSqliteJournal(file, db);
  const contents = await journal.load();
  expect(contents).toMatchObject({ lastSeq: 500, runs: expect.objectContaining({ length: 20 }) });
  const ofLarge = [...read].filter((name) => /^(events|results|snapshots)\.\w/.test(name));
  expect(ofLarge.sort()).toEqual(['events.seq', 'snapshots.seq']);
  expect(plan(db, 'SELECT coalesce(max(seq), 0) AS n FROM events')).toMatch(/^SEARCH/);
  await journal.close();
});

function plan(db: DatabaseSync, sql: string): string {
  return String(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).get()?.['detail']);
}

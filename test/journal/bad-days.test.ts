import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JournalFailureKind } from '../../src/engine/journal-port.ts';
import { JournalError } from '../../src/engine/journal-port.ts';
import { createJournalReader } from '../../src/journal/create-journal-reader.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';
import { openDatabase } from '../../src/journal/open-database.ts';
import { entry } from '../contracts/journal.contract.test.ts';
import { fillJournal } from './large-journal.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-bad-days-'));
  file = path.join(folder, 'journal.db');
});
afterEach(() => rm(folder, { recursive: true }));

const SIZE = { events: 600, items: 50, runs: 60 };

/** What whoever opens the journal is told. */
async function failureOf(work: () => unknown): Promise<JournalError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof JournalError && error.message.includes(file)) return error;
    throw error;
  }
  throw new Error('It worked.');
}

function told(kind: JournalFailureKind, words: RegExp) {
  return expect.objectContaining({ kind, message: expect.stringMatching(words) });
}

describe('a damaged file', () => {
  test('whose beginning is garbage is refused, and so is reading it', async () => {
    await fillJournal(file, SIZE);
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(100, 'x'), 0, 100, 0);
    await handle.close();
    expect(await failureOf(() => createSqliteJournal(file))).toEqual(
      told('damaged', /could not be opened.*move it away.*-wal/s),
    );
    expect(await failureOf(() => createJournalReader(file))).toEqual(
      told('damaged', /could not be read.*move it away/s),
    );
  });

  test('that ends in the middle is refused', async () => {
    await fillJournal(file, SIZE);
    await truncate(file, Math.floor((await readFile(file)).length / 2 / 4_096) * 4_096);
    expect(await failureOf(() => createSqliteJournal(file))).toEqual(told('damaged', /move it away/));
  });

  test('with overwritten pages is refused when it is opened, not when it is too late', async () => {
    await fillJournal(file, SIZE);
    const pages = Math.floor((await readFile(file)).length / 4_096);
    const handle = await open(file, 'r+');
    for (let page = 3; page < pages; page += 7) await handle.write(Buffer.alloc(64, 0xff), 0, 64, page * 4_096);
    await handle.close();
    expect(await failureOf(() => createSqliteJournal(file))).toEqual(told('damaged', /It is damaged/));
    const reader = createJournalReader(file);
    expect(await failureOf(() => reader.check())).toEqual(told('damaged', /It is damaged/));
    reader.close();
  });

  test('with text in it that we did not write is refused when that is read', async () => {
    const journal = createSqliteJournal(file);
    await journal.append(entry(1, { rows: [{ table: 'planned', id: 'a', row: 'b' }] }));
    await journal.saveSnapshot({ seq: 1, version: 1, body: 'a state' });
    await journal.saveResult('s', { result: { role: 'planner', create: [], close: [], update: [] }, usage: null });
    await journal.close();
    const db = new DatabaseSync(file);
    db.exec(`UPDATE results SET result = replace(result, '{', '['); UPDATE events SET body = 'x';
      UPDATE snapshots SET body = cast('no gzip' AS BLOB); INSERT INTO efforts (id, body) VALUES ('7', '{');`);
    db.close();
    const again = createSqliteJournal(file);
    for (const read of [
      () => again.load(),
      () => again.loadResult('s'),
      () => again.readEvents(0, 1),
      () => again.readSnapshots(),
    ]) {
      expect(await failureOf(read)).toEqual(told('damaged', /Put back a copy, or move it away/));
    }
    await again.close();
  });
});

describe('a file that may not be written', () => {
  test('is named, and left as it is', async () => {
    await createSqliteJournal(file).close();
    await chmod(folder, 0o755);
    await chmod(file, 0o444);
    expect(await failureOf(() => asNobody(() => createSqliteJournal(file)))).toEqual(
      told('read-only', /may not be written/),
    );
  });

  test('because of its folder is named too', async () => {
    await chmod(folder, 0o555);
    expect(await failureOf(() => asNobody(() => createSqliteJournal(file)))).toEqual(
      told('read-only', /may not be written/),
    );
    file = path.join(folder, 'deep', 'journal.db');
    expect(await failureOf(() => asNobody(() => createSqliteJournal(file)))).toEqual(
      told('read-only', /may not be written/),
    );
  });

  test('because a file is where its folder should be is refused', async () => {
    await writeFile(path.join(folder, '.decree'), '');
    file = path.join(folder, '.decree', 'journal.db');
    expect(await failureOf(() => createSqliteJournal(file))).toEqual(told('unusable', /decree doctor/));
  });

  test('since it is a folder is refused', async () => {
    await mkdir(file);
    expect(await failureOf(() => createSqliteJournal(file))).toEqual(told('read-only', /could not be opened/));
  });
});

test('a journal of a newer version is refused by all and left as it is', async () => {
  const newer = new DatabaseSync(file);
  newer.exec('PRAGMA user_version = 1000');
  newer.close();
  expect(await failureOf(() => createSqliteJournal(file))).toEqual(
    told('newer', /newer version of decree. Use that version/),
  );
  expect(await failureOf(() => createJournalReader(file))).toEqual(
    told('newer', /newer version of decree. Use that version/),
  );
  const still = new DatabaseSync(file);
  expect(still.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1000 });
  still.close();
});

test('a journal that another program holds is refused, while it is opened and while it is written', async () => {
  const journal = createSqliteJournal(file, openDatabase(file, 50));
  await journal.append(entry(1));
  const program = `const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(${JSON.stringify(file)});
    db.exec('BEGIN IMMEDIATE'); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  expect(await failureOf(() => journal.append(entry(2)))).toEqual(
    told('locked', /could not record an event.*Another program holds it/s),
  );
  holder.kill('SIGKILL');
  await once(holder, 'close');
  await journal.append(entry(2));
  expect(await journal.readEvents(0, 10)).toHaveLength(2);
  await journal.close();
});

test('a full disk leaves nothing half written, and the journal goes on when there is room', async () => {
  const db = openDatabase(file);
  const journal = createSqliteJournal(file, db);
  await journal.append(entry(1));
  db.exec(`PRAGMA max_page_count = ${pagesOf(db) + 4}`);
  const patch = 'x'.repeat(100_000);
  const result = {
    role: 'implementor',
    outcome: 'completed',
    summary: 's',
    patch,
    baseSHA: 'b',
    treeSHA: 't',
  } as const;
  expect(await failureOf(() => journal.saveResult('s', { result, usage: null }))).toEqual(
    told('full', /Make room and start again/),
  );
  expect(await journal.loadResult('s')).toBeNull();
  let written = 1;
  const error = await failureOf(async () => {
    for (; written < 10_000; written++) {
      const rows = [{ table: 'planned' as const, id: `spec ${written}`, row: patch.slice(0, 300) }];
      await journal.append(entry(written + 1, { rows }));
    }
  });
  expect(error.kind).toBe('full');
  const { lastSeq, lastPlannedSHAs } = await journal.load();
  expect([lastSeq, lastPlannedSHAs.length]).toEqual([written, written - 1]);

  db.exec('PRAGMA max_page_count = 1000000');
  await journal.append(entry(written + 1));
  await journal.saveResult('s', { result, usage: null });
  expect((await journal.loadResult('s'))?.result).toEqual(result);
  await journal.close();
});

function pagesOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
}

/** Rights do not hold for root, who runs many a container. */
function asNobody<T>(work: () => T): T {
  const uid = process.geteuid?.();
  if (uid !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    process.seteuid?.(uid);
  }
}

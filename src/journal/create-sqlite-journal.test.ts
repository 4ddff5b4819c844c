import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entry, journalContract } from '../../test/contracts/journal.contract.test.ts';
import type { Journal } from '../engine/journal-port.ts';
import { JournalError } from '../engine/journal-port.ts';
import { createSqliteJournal } from './create-sqlite-journal.ts';

journalContract('in SQLite', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-journal-'));
  let journal: Journal | null = null;
  return {
    open: async () => {
      await journal?.close();
      journal = createSqliteJournal(path.join(folder, 'deep', 'journal.db'));
      return journal;
    },
    dispose: async () => {
      await journal?.close();
      await rm(folder, { recursive: true });
    },
  };
});

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-journal-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('an entry that cannot be written leaves nothing of itself behind', async () => {
  const journal = createSqliteJournal(path.join(folder, 'journal.db'));
  await journal.append(entry(1));
  const row = { table: 'planned' as const, id: 'docs/specs/a.md', row: 'aaa' };
  await expect(journal.append(entry(1, { rows: [row] }))).rejects.toThrow(JournalError);
  expect((await journal.load()).lastPlannedSHAs).toEqual([]);
  await journal.append(entry(2, { rows: [row] }));
  expect((await journal.load()).lastPlannedSHAs).toEqual([['docs/specs/a.md', 'aaa']]);
  await journal.close();
});

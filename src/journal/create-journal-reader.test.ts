import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleRun } from '../../test/world/sample-run.ts';
import type { Run } from '../domain/run.ts';
import { JournalError } from '../engine/journal-port.ts';
import { createJournalReader } from './create-journal-reader.ts';
import { createSqliteJournal } from './create-sqlite-journal.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-reader-'));
});
afterEach(() => rm(folder, { recursive: true }));

function run(sessionID: string, requestedAt: number): Run {
  const subject = { role: 'planner', specs: {}, commitSHA: 'c' } as const;
  return sampleRun({ sessionID, subject, status: 'completed', requestedAt, startedAt: null, statusBefore: null });
}

test('everything can be read while the engine writes: runs of all kinds, events, commands, what was planned', async () => {
  const file = path.join(folder, 'journal.db');
  const journal = createSqliteJournal(file);
  const reader = createJournalReader(file);
  const event = { seq: 1, at: 5, id: 'e', readSeq: null, body: { type: 'startupFinished' } } as const;
  const command = { key: '1.0', lane: '', command: { type: 'cancelRun', sessionID: 'a%', reason: 'r' } } as const;
  await journal.append({
    event,
    commands: [command],
    settles: null,
    rows: [
      { table: 'runs', id: 'a%1', row: run('a%1', 1) },
      { table: 'runs', id: 'ab2', row: run('ab2', 2) },
      { table: 'planned', id: 'docs/specs/a.md', row: 'sha' },
    ],
  });
  expect(reader.runs(10).map(({ sessionID }) => sessionID)).toEqual(['ab2', 'a%1']);
  expect(reader.runs(1)).toHaveLength(1);
  expect(reader.findRuns('a%').map(({ sessionID }) => sessionID)).toEqual(['a%1']);
  expect(reader.findRuns('a')).toHaveLength(2);
  expect(reader.events(0, 10)).toEqual([event]);
  expect(reader.events(1, 10)).toEqual([]);
  expect(reader.commands(1)).toEqual([command]);
  expect(reader.countEvents()).toBe(1);
  expect([...reader.planned()]).toEqual([['docs/specs/a.md', 'sha']]);
  reader.close();
  await journal.close();
});

test('what is no journal is a JournalError that says what to do', async () => {
  const file = path.join(folder, 'journal.db');
  await writeFile(file, 'not a database at all, whatever its name may promise to those who open it');
  expect(() => createJournalReader(file)).toThrow(JournalError);
  expect(() => createJournalReader(file)).toThrow(/move it away/);
  expect(() => createJournalReader(path.join(folder, 'missing.db'))).toThrow(JournalError);
});

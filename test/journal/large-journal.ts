import type { Effort } from '../../src/domain/effort.ts';
import { FRESH_EFFORT } from '../../src/domain/effort.ts';
import type { EventBody } from '../../src/domain/event.ts';
import type { Run } from '../../src/domain/run.ts';
import type { WorkItem } from '../../src/domain/work-item.ts';
import type { JournalEntry } from '../../src/engine/journal-port.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';
import { openDatabase } from '../../src/journal/open-database.ts';
import { sampleRun } from '../world/sample-run.ts';
import { sampleWorkItem } from '../world/sample-work-item.ts';

export interface JournalSize {
  readonly events: number;
  readonly items: number;
  readonly runs: number;
}

const START = Date.UTC(2026, 0, 1);

/**
 * Fills a journal as months of work would, with nothing pruned: items seen again and again, commands admitted and
 * settled, runs with their results, efforts. For measuring only: it is not synced to the disk while it is written.
 */
export async function fillJournal(file: string, size: JournalSize): Promise<void> {
  const db = openDatabase(file);
  db.exec('PRAGMA synchronous = OFF');
  const journal = createSqliteJournal(file, db);
  const runEvery = Math.max(1, Math.floor(size.events / size.runs));
  for (let seq = 1; seq <= size.events; seq++) {
    const n = Math.floor(seq / runEvery);
    const isRun = seq % runEvery === 0 && n <= size.runs;
    await journal.append(isRun ? runEntry(seq, n, size.items) : seenEntry(seq, size.items));
    if (isRun) await journal.saveResult(sessionOf(n), { result: resultOf(n), usage: null });
  }
  await journal.close();
}

export function item(n: number): WorkItem {
  return sampleWorkItem({
    id: String(n),
    title: `Work item ${n} with a title of an ordinary length`,
    priority: 'medium',
    blockedBy: n % 3 === 0 ? [String(n + 1)] : [],
    contentDigest: `digest-${n}`.padEnd(64, '0'),
  });
}

function seenEntry(seq: number, items: number): JournalEntry {
  const seen: EventBody = { type: 'workItemSeen', item: item(1 + (seq % items)) };
  return { event: eventOf(seq, seen), commands: [], settles: null, rows: [] };
}

/** A run that ended, the command that publishes it, and the count that it left; settles the run before it. */
function runEntry(seq: number, n: number, items: number): JournalEntry {
  const workItemID = String(1 + (n % items));
  const effort: Effort = { ...FRESH_EFFORT, reviewRounds: n % 2, seen: { status: 'review', contentDigest: 'd' } };
  const command = {
    type: 'publishRevision',
    workItemID,
    sessionID: sessionOf(n),
    branchName: `issue-${workItemID}`,
  } as const;
  return {
    event: eventOf(seq, {
      type: 'runCompleted',
      sessionID: sessionOf(n),
      conclusion: { role: 'implementor', outcome: 'completed', summary: 'It is done. '.repeat(10) },
      usage: null,
    }),
    commands: [{ key: `run-${n}`, lane: workItemID, command }],
    settles: n === 1 ? null : `run-${n - 1}`,
    rows: [
      { table: 'runs', id: sessionOf(n), row: runOf(n, workItemID, START + seq * 1_000) },
      { table: 'efforts', id: workItemID, row: effort },
      { table: 'spend', id: new Date(START + seq * 60_000).toISOString().slice(0, 10), row: n },
    ],
  };
}

function eventOf(seq: number, body: EventBody): JournalEntry['event'] {
  const id = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;
  return { seq, at: START + seq * 1_000, id, readSeq: Math.max(0, seq - 1), body };
}

function sessionOf(n: number): string {
  return `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
}

function runOf(n: number, workItemID: string, at: number): Run {
  const subject = {
    role: 'implementor',
    workItemID,
    branchName: `issue-${workItemID}`,
    start: { from: 'default-branch' },
    repair: null,
  } as const;
  return sampleRun({
    sessionID: sessionOf(n),
    subject,
    rank: 4,
    status: 'completed',
    requestedAt: at - 500,
    startedAt: at - 400,
    endedAt: at,
    model: 'sonnet',
  });
}

function resultOf(n: number) {
  const patch = `diff --git a/file-${n}.ts b/file-${n}.ts\n${'+a line that was added\n'.repeat(200)}`;
  return {
    role: 'implementor',
    outcome: 'completed',
    summary: 'It is done.',
    patch,
    baseSHA: 'b',
    treeSHA: 't',
  } as const;
}

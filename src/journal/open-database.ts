import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../engine/journal-port.ts';
import { journalFailure } from './journal-failure.ts';
import { MIGRATIONS } from './migrations.ts';
import { decode } from './rows.ts';

/**
 * Opens the journal's file, or makes it, and brings it to the newest schema. How long to wait for another program that
 * holds it can be said. Throws JournalError.
 *
 * Pages of deleted rows are used again, so the file stays as large as it once had to be. The write-ahead log is emptied
 * every 1,000 pages, and cut back to its limit after a large transaction or a reader that took its time.
 */
export function openDatabase(file: string, patienceMs = 5_000): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    db = new DatabaseSync(file, { timeout: patienceMs });
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES};`);
    migrate(db, refuseNewer(db, file));
    checkPages(db);
    return db;
  } catch (error) {
    db?.close();
    throw journalFailure(file, 'be opened', error);
  }
}

export const LOG_LIMIT_BYTES = 8 * 1024 * 1024;

function migrate(db: DatabaseSync, seen: number): void {
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < seen) continue;
    db.exec(`BEGIN IMMEDIATE; ${migration} PRAGMA user_version = ${index + 1}; COMMIT;`);
  }
}

/** How many migrations the file has seen. Throws if those are more than we know. */
export function refuseNewer(db: DatabaseSync, file: string): number {
  const seen = decode.count(db.prepare('SELECT user_version AS n FROM pragma_user_version').get());
  if (seen <= MIGRATIONS.length) return seen;
  throw new JournalError(
    `The journal ${file} was written by a newer version of decree. Use that version, or move the file away to start anew.`,
    { kind: 'newer' },
  );
}

/** Looks at the structure of every page; throws if one is damaged. */
export function checkPages(db: DatabaseSync): void {
  const found = decode.verdict(db.prepare('PRAGMA quick_check(1)').get());
  if (found !== 'ok') throw new JournalError(found.replaceAll(/\s+/g, ' ').trim(), { kind: 'damaged' });
}

import { DatabaseSync } from 'node:sqlite';
import type { AdmittedCommand } from '../domain/command.ts';
import type { Event } from '../domain/event.ts';
import type { Run } from '../domain/run.ts';
import type { StateSnapshot } from '../engine/journal-port.ts';
import { journalFailure } from './journal-failure.ts';
import { checkPages, refuseNewer } from './open-database.ts';
import { decode } from './rows.ts';

/** Looks into a journal without ever changing it, also while an engine writes to it. */
export interface JournalReader {
  /** The newest first. */
  runs(limit: number): Run[];
  /** Runs whose session begins with these characters. */
  findRuns(sessionPrefix: string): Run[];
  /** Spec path -> blob SHA of what was last planned. */
  planned(): ReadonlyMap<string, string>;
  /** In order. The oldest may be gone. */
  events(afterSeq: number, limit: number): Event[];
  /** The commands that were admitted with the event of that number. */
  commands(seq: number): AdmittedCommand[];
  /** Oldest first. */
  snapshots(): StateSnapshot[];
  countEvents(): number;
  /** Looks at every page of the file; throws JournalError if one is damaged. */
  check(): void;
  close(): void;
}

/** Throws JournalError if the file cannot be read as a journal. The file must exist. */
export function createJournalReader(file: string): JournalReader {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw journalFailure(file, 'be read', cause);
    }
  };
  const db = attempt(() => openForReading(file));
  // Nothing is left open between two calls: a reader that takes its time must not keep the engine's log from being emptied.
  return {
    runs: (limit) =>
      attempt(() =>
        db.prepare('SELECT body FROM runs ORDER BY requested_at DESC, session_id LIMIT ?').all(limit).map(decode.run),
      ),
    findRuns: (prefix) =>
      attempt(() =>
        db
          .prepare('SELECT body FROM runs WHERE substr(session_id, 1, ?) = ? ORDER BY requested_at DESC')
          .all(prefix.length, prefix)
          .map(decode.run),
      ),
    planned: () =>
      attempt(() => new Map(db.prepare('SELECT path AS key, blob_sha AS value FROM planned').all().map(decode.pair))),
    events: (afterSeq, limit) =>
      attempt(() =>
        db
          .prepare('SELECT seq, at, id, read_seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?')
          .all(afterSeq, limit)
          .map(decode.event),
      ),
    commands: (seq) =>
      attempt(() =>
        db.prepare('SELECT key, lane, body FROM commands WHERE seq = ? ORDER BY position').all(seq).map(decode.command),
      ),
    snapshots: () =>
      attempt(() => {
        // The file may be older than snapshots are, and a reader does not change it.
        const hasTable = db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'snapshots'").get();
        if (decode.count(hasTable) === 0) return [];
        return db.prepare('SELECT seq, version, body FROM snapshots ORDER BY seq').all().map(decode.snapshot);
      }),
    countEvents: () => attempt(() => decode.count(db.prepare('SELECT count(*) AS n FROM events').get())),
    check: () => attempt(() => checkPages(db)),
    close: () => db.close(),
  };
}

function openForReading(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    refuseNewer(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

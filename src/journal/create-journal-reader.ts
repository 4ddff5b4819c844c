import { DatabaseSync } from 'node:sqlite';
import type { AdmittedCommand } from '../domain/command.ts';
import type { Event } from '../domain/event.ts';
import type { Run } from '../domain/run.ts';
import { JournalError } from '../engine/journal-port.ts';
import { decode } from './rows.ts';

/** Looks into a journal without ever changing it, also while an engine writes to it. */
export interface JournalReader {
  /** The newest first. */
  runs(limit: number): Run[];
  /** Runs whose session begins with these characters. */
  findRuns(sessionPrefix: string): Run[];
  /** Spec path -> blob SHA of what was last planned. */
  planned(): ReadonlyMap<string, string>;
  /** In order. */
  events(afterSeq: number, limit: number): Event[];
  /** The commands that were admitted with the event of that number. */
  commands(seq: number): AdmittedCommand[];
  countEvents(): number;
  close(): void;
}

/** Throws JournalError if the file cannot be read as a journal. The file must exist. */
export function createJournalReader(file: string): JournalReader {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof JournalError) throw cause;
      const detail = cause instanceof Error ? cause.message : String(cause);
      const advice = 'If it is damaged, move it away: decree then reads everything from the forge again.';
      throw new JournalError(`The journal ${file} could not be read: ${detail}. ${advice}`, { cause });
    }
  };
  const db = attempt(() => new DatabaseSync(file, { readOnly: true, timeout: 5_000 }));
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
    countEvents: () => attempt(() => decode.count(db.prepare('SELECT count(*) AS n FROM events').get())),
    close: () => db.close(),
  };
}

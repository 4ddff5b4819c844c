import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isFinished, workItemOf } from '../domain/run.ts';
import type { Journal, JournalContents, JournalEntry, OpenCommand, RowChange } from '../engine/journal-port.ts';
import { journalFailure } from './journal-failure.ts';
import { openDatabase } from './open-database.ts';
import { pruneRows } from './prune-rows.ts';
import { decode } from './rows.ts';

const pack = promisify(gzip);

/** A journal in one SQLite file. Every write is on the disk (WAL, `synchronous=FULL`) before its promise resolves. */
export function createSqliteJournal(file: string, db = openDatabase(file)): Journal {
  const prepared = new Map<string, StatementSync>();

  /** Compiles each statement once. */
  function sql(text: string): StatementSync {
    const known = prepared.get(text);
    if (known) return known;
    const statement = db.prepare(text);
    prepared.set(text, statement);
    return statement;
  }

  async function transaction<T>(what: string, work: () => T): Promise<T> {
    try {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    } catch (error) {
      throw journalFailure(file, what, error);
    }
  }

  function append(entry: JournalEntry): void {
    const { event } = entry;
    sql('INSERT INTO events (seq, at, id, read_seq, type, body) VALUES (?, ?, ?, ?, ?, ?)').run(
      event.seq,
      event.at,
      event.id,
      event.readSeq,
      event.body.type,
      JSON.stringify(event.body),
    );
    if (entry.settles !== null) {
      sql('UPDATE commands SET settled_by = ? WHERE key = ?').run(event.seq, entry.settles);
      sql('DELETE FROM steps WHERE command = ?').run(entry.settles);
    }
    for (const [position, { key, lane, command }] of entry.commands.entries()) {
      sql('INSERT INTO commands (key, seq, position, lane, type, body) VALUES (?, ?, ?, ?, ?, ?)').run(
        key,
        event.seq,
        position,
        lane,
        command.type,
        JSON.stringify(command),
      );
    }
    for (const row of entry.rows) store(row);
  }

  function store(change: RowChange): void {
    switch (change.table) {
      case 'runs': {
        const run = change.row;
        sql(`INSERT OR REPLACE INTO runs (session_id, role, work_item, attempt, status, is_finished, model,
            requested_at, started_at, ended_at, log_path, failure, saved_ref, cost_usd, turns, input_tokens,
            output_tokens, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
          run.sessionID,
          run.subject.role,
          workItemOf(run.subject),
          run.attempt,
          run.status,
          Number(isFinished(run.status)),
          run.model,
          run.requestedAt,
          run.startedAt,
          run.endedAt,
          run.logFilePath,
          run.failure,
          run.savedRef,
          run.usage?.costUSD ?? null,
          run.usage?.turns ?? null,
          run.usage?.inputTokens ?? null,
          run.usage?.outputTokens ?? null,
          JSON.stringify(run),
        );
        return;
      }
      case 'plans':
        if (change.row === null) sql('DELETE FROM plans WHERE session_id = ?').run(change.id);
        else
          sql('INSERT OR REPLACE INTO plans (session_id, body) VALUES (?, ?)').run(
            change.id,
            JSON.stringify(change.row),
          );
        return;
      case 'planned':
        if (change.row === null) sql('DELETE FROM planned WHERE path = ?').run(change.id);
        else sql('INSERT OR REPLACE INTO planned (path, blob_sha) VALUES (?, ?)').run(change.id, change.row);
        return;
      case 'spend':
        sql('INSERT OR REPLACE INTO spend (day, usd) VALUES (?, ?)').run(change.id, change.row);
        return;
      case 'efforts':
        if (change.row === null) sql('DELETE FROM efforts WHERE id = ?').run(change.id);
        else sql('INSERT OR REPLACE INTO efforts (id, body) VALUES (?, ?)').run(change.id, JSON.stringify(change.row));
        return;
    }
  }

  function load(): JournalContents {
    // Among those of the same millisecond, the one that was written last.
    const newest = `SELECT body FROM runs r WHERE is_finished = 1 AND rowid = (SELECT rowid FROM runs n
      WHERE n.work_item IS r.work_item AND n.is_finished = 1 ORDER BY requested_at DESC, rowid DESC LIMIT 1)`;
    return {
      journalID: decode.id(sql('SELECT id FROM identity').get()),
      // Whatever was pruned: a number is never given twice.
      lastSeq: Math.max(lastOf('events'), lastOf('snapshots')),
      lastSnapshotSeq: lastOf('snapshots'),
      runs: sql(`SELECT body FROM runs WHERE is_finished = 0 UNION ALL ${newest}`).all().map(decode.run),
      plans: sql('SELECT body FROM plans').all().map(decode.plan),
      lastPlannedSHAs: sql('SELECT path AS key, blob_sha AS value FROM planned').all().map(decode.pair),
      efforts: sql('SELECT id AS key, body FROM efforts').all().map(decode.effort),
      spend: sql('SELECT day AS key, usd AS n FROM spend').all().map(decode.amount),
      openCommands: sql('SELECT key, lane, body FROM commands WHERE settled_by IS NULL ORDER BY seq, position')
        .all()
        .map(openCommand),
    };
  }

  function lastOf(table: 'events' | 'snapshots'): number {
    return decode.count(sql(`SELECT coalesce(max(seq), 0) AS n FROM ${table}`).get());
  }

  function openCommand(row: Record<string, SQLOutputValue>): OpenCommand {
    const admitted = decode.command(row);
    const steps = sql('SELECT name, outcome FROM steps WHERE command = ? ORDER BY position').all(admitted.key);
    return { ...admitted, steps: steps.map(decode.step) };
  }

  return {
    load: () => transaction('read its rows', load),
    append: (entry) => transaction('record an event', () => append(entry)),
    appendAll: (entries) =>
      transaction('record events', () => {
        for (const entry of entries) append(entry);
      }),
    beginStep: (key, name) =>
      transaction('record the begin of a step', () => {
        sql(`INSERT OR IGNORE INTO steps (command, position, name)
            VALUES (?, (SELECT count(*) FROM steps WHERE command = ?), ?)`).run(key, key, name);
      }),
    endStep: (key, name, outcome) =>
      transaction('record the end of a step', () => {
        sql('UPDATE steps SET outcome = ? WHERE command = ? AND name = ?').run(outcome, key, name);
      }),
    dropStep: (key, name) =>
      transaction('take back a step', () => {
        sql('DELETE FROM steps WHERE command = ? AND name = ?').run(key, name);
      }),
    saveResult: (sessionID, { result, usage }) =>
      transaction("store an agent's result", () => {
        sql('INSERT OR REPLACE INTO results (session_id, result, usage) VALUES (?, ?, ?)').run(
          sessionID,
          JSON.stringify(result),
          usage === null ? null : JSON.stringify(usage),
        );
      }),
    loadResult: (sessionID) =>
      transaction("read an agent's result", () => {
        const row = sql('SELECT result, usage FROM results WHERE session_id = ?').get(sessionID);
        return row === undefined ? null : decode.result(row);
      }),
    saveSnapshot: async ({ seq, version, body }) => {
      // Packed beside the event loop; unpacked, megabytes would be written inside it.
      const packed = await pack(body);
      await transaction('store a snapshot', () => {
        sql('INSERT OR REPLACE INTO snapshots (seq, version, body) VALUES (?, ?, ?)').run(seq, version, packed);
      });
    },
    readSnapshots: () =>
      transaction('read its snapshots', () =>
        sql('SELECT seq, version, body FROM snapshots ORDER BY seq').all().map(decode.snapshot),
      ),
    prune: (retention) => transaction('delete old rows', () => pruneRows(sql, retention)),
    readEvents: (afterSeq, limit) =>
      transaction('read events', () =>
        sql('SELECT seq, at, id, read_seq, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?')
          .all(afterSeq, limit)
          .map(decode.event),
      ),
    readCommands: (seq) =>
      transaction('read commands', () =>
        sql('SELECT key, lane, body FROM commands WHERE seq = ? ORDER BY position').all(seq).map(decode.command),
      ),
    close: async () => db.close(),
  };
}

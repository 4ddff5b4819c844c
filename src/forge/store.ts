import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { z } from 'zod';

/**
 * Everything the forge remembers that git does not. Calls are synchronous, so that whatever happens between two
 * awaits is atomic. One process at a time: the file stays locked while it is open.
 */
export interface Store {
  all<Row>(row: z.ZodType<Row>, sql: string, ...values: SQLInputValue[]): Row[];
  get<Row>(row: z.ZodType<Row>, sql: string, ...values: SQLInputValue[]): Row | null;
  /** Returns the id of the inserted row. */
  run(sql: string, ...values: SQLInputValue[]): number;
  transaction<T>(work: () => T): T;
  close(): void;
}

export function openStore(file: string): Store {
  const database = openLocked(file);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    all: (row, sql, ...values) =>
      prepare(sql)
        .all(...values)
        .map((found) => row.parse(found)),
    get: (row, sql, ...values) => {
      const found = prepare(sql).get(...values);
      return found === undefined ? null : row.parse(found);
    },
    run: (sql, ...values) => Number(prepare(sql).run(...values).lastInsertRowid),
    transaction: (work) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => database.close(),
  };
}

function openLocked(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    checkVersion(database, file);
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; PRAGMA user_version = ${VERSION}; COMMIT`);
    return database;
  } catch (cause) {
    database.close();
    if (cause instanceof ForgeVersionError) throw cause;
    throw new Error(
      `Could not open the embedded forge's database ${file}. If another decree uses this folder, stop it first; ` +
        'if the file is damaged, restore it or move the folder away to start with an empty forge.',
      { cause },
    );
  }
}

/** Counted up with every change of the schema. */
const VERSION = 1;

class ForgeVersionError extends Error {
  override readonly name = 'ForgeVersionError';
}

/** A database of another version is left as it is. An empty one has version 0 and no tables. */
function checkVersion(database: DatabaseSync, file: string): void {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
  if (version === VERSION || tables === 0) return;
  throw new ForgeVersionError(
    `The embedded forge in ${file} was made by another version of decree. Use that version, or move the folder away.`,
  );
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS tokens (hash TEXT PRIMARY KEY, expires_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS seen_refs (ref TEXT PRIMARY KEY, sha TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS issues (
  number INTEGER PRIMARY KEY AUTOINCREMENT, author TEXT NOT NULL, title TEXT NOT NULL, body TEXT,
  state TEXT NOT NULL DEFAULT 'open', state_reason TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  closed_at TEXT, closed_by TEXT);
CREATE TABLE IF NOT EXISTS pulls (
  number INTEGER PRIMARY KEY REFERENCES issues, head_ref TEXT NOT NULL, base_ref TEXT NOT NULL, draft INTEGER NOT NULL,
  base_sha TEXT NOT NULL, final_head_sha TEXT, merged_at TEXT, merged_by TEXT, merge_commit_sha TEXT);
CREATE INDEX IF NOT EXISTS pulls_by_head ON pulls (head_ref);
CREATE TABLE IF NOT EXISTS labels (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
CREATE TABLE IF NOT EXISTS issue_labels (number INTEGER, label_id INTEGER, PRIMARY KEY (number, label_id));
CREATE TABLE IF NOT EXISTS comments (
  id INTEGER PRIMARY KEY, number INTEGER NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS comments_by_issue ON comments (number);
CREATE TABLE IF NOT EXISTS reviews (
  id INTEGER PRIMARY KEY, number INTEGER NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL,
  commit_sha TEXT NOT NULL, submitted_at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS reviews_by_pull ON reviews (number);
CREATE TABLE IF NOT EXISTS review_comments (
  id INTEGER PRIMARY KEY, review_id INTEGER NOT NULL, number INTEGER NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL,
  path TEXT NOT NULL, line INTEGER NOT NULL, diff_hunk TEXT NOT NULL, commit_sha TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS review_comments_by_pull ON review_comments (number);
CREATE TABLE IF NOT EXISTS check_runs (
  id INTEGER PRIMARY KEY, head_sha TEXT NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL, conclusion TEXT,
  started_at TEXT, completed_at TEXT, title TEXT, summary TEXT, text TEXT);
CREATE INDEX IF NOT EXISTS check_runs_by_commit ON check_runs (head_sha);
CREATE VIEW IF NOT EXISTS issue_entries AS
  SELECT issues.*, (SELECT count(*) FROM comments WHERE comments.number = issues.number) AS comments,
    pulls.number IS NOT NULL AS is_pull, head_ref, base_ref, draft, base_sha, final_head_sha, merged_at, merged_by,
    merge_commit_sha
  FROM issues LEFT JOIN pulls ON pulls.number = issues.number`;

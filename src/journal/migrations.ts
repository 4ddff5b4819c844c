/**
 * The journal's schema, one entry per change. Entries are only ever appended: a database remembers how many it has
 * seen (`user_version`), and one that has seen more than we know is refused.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    id TEXT NOT NULL,
    read_seq INTEGER,
    type TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE commands (
    key TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    position INTEGER NOT NULL,
    lane TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    settled_by INTEGER
  ) STRICT;
  CREATE INDEX commands_by_event ON commands (seq, position);
  CREATE INDEX commands_open ON commands (seq, position) WHERE settled_by IS NULL;

  CREATE TABLE steps (
    command TEXT NOT NULL REFERENCES commands (key),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    outcome TEXT,
    PRIMARY KEY (command, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE runs (
    session_id TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    work_item TEXT,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    is_finished INTEGER NOT NULL,
    model TEXT,
    requested_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    log_path TEXT,
    failure TEXT,
    saved_ref TEXT,
    cost_usd REAL,
    turns INTEGER,
    input_tokens INTEGER,
    output_tokens INTEGER,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_work_item ON runs (work_item, requested_at);
  CREATE INDEX runs_unfinished ON runs (session_id) WHERE is_finished = 0;

  CREATE TABLE results (
    session_id TEXT PRIMARY KEY,
    result TEXT NOT NULL,
    usage TEXT
  ) STRICT;

  CREATE TABLE plans (session_id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE planned (path TEXT PRIMARY KEY, blob_sha TEXT NOT NULL) STRICT;
  CREATE TABLE efforts (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE identity (id TEXT NOT NULL) STRICT;
  INSERT INTO identity (id) VALUES (lower(hex(randomblob(4))));
  CREATE TABLE spend (day TEXT PRIMARY KEY, usd REAL NOT NULL) STRICT;
  `,
  `
  CREATE TABLE snapshots (
    seq INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  `,
];

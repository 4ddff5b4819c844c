import { JournalError } from '../engine/journal-port.ts';
import type { JournalFailureKind } from '../engine/journal-port.ts';

/** Whatever went wrong, as a JournalError that says what was tried, what happened and what to do. */
export function journalFailure(file: string, tried: string, cause: unknown): JournalError {
  if (cause instanceof JournalError && cause.kind !== 'damaged') return cause;
  const kind = cause instanceof JournalError ? cause.kind : kindOf(cause);
  const detail = cause instanceof Error ? cause.message : String(cause);
  const message = `The journal ${file} could not ${tried}: ${detail.replace(/\.$/, '')}. ${WAYS_OUT[kind]}`;
  return new JournalError(message, { cause, kind });
}

const MOVE_AWAY =
  'move it away together with its -wal and -shm files: decree then reads everything from the forge again, and only ' +
  'its history (runs, costs, what was planned) is lost';

const WAYS_OUT: Readonly<Record<JournalFailureKind, string>> = {
  damaged: `It is damaged. Put back a copy, or ${MOVE_AWAY}.`,
  newer: `Use that version, or ${MOVE_AWAY}.`,
  locked: 'Another program holds it: a second decree, a backup, or a database browser. End that and start again.',
  full: 'The disk is full. Make room and start again: nothing is half written, and work goes on where it stopped.',
  'read-only':
    'The file, or the folder that it is in, may not be written. Give yourself the right to, and start again.',
  unusable: `Check the disk and the rights on its folder (\`decree doctor\`). If it is damaged, ${MOVE_AWAY}.`,
};

function kindOf(cause: unknown): JournalFailureKind {
  // Its text is not what we wrote.
  if (cause instanceof SyntaxError) return 'damaged';
  if (!(cause instanceof Error)) return 'unusable';
  if ('errcode' in cause && typeof cause.errcode === 'number')
    return KIND_BY_RESULT.get(cause.errcode & 0xff) ?? 'unusable';
  if ('code' in cause && typeof cause.code === 'string') return KIND_BY_SYSTEM_ERROR.get(cause.code) ?? 'unusable';
  return 'unusable';
}

/** By SQLite's primary result code. */
const KIND_BY_RESULT: ReadonlyMap<number, JournalFailureKind> = new Map([
  [5, 'locked'], // SQLITE_BUSY
  [6, 'locked'], // SQLITE_LOCKED
  [8, 'read-only'], // SQLITE_READONLY
  [11, 'damaged'], // SQLITE_CORRUPT
  [13, 'full'], // SQLITE_FULL
  [14, 'read-only'], // SQLITE_CANTOPEN: the folder exists by then
  [26, 'damaged'], // SQLITE_NOTADB
]);

const KIND_BY_SYSTEM_ERROR: ReadonlyMap<string, JournalFailureKind> = new Map([
  ['EACCES', 'read-only'],
  ['EPERM', 'read-only'],
  ['EROFS', 'read-only'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
]);

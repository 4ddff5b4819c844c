import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../engine/journal-port.ts';

export interface Lock {
  release(): void;
}

/**
 * Makes sure that one engine at a time works on a repository. The lock is an open SQLite transaction: the operating
 * system lets go of it when the process ends, however it ends, so a dead holder cannot block anybody. It knows nothing
 * of other machines that share the folder. Throws if somebody holds it.
 */
export function takeLock(file: string): Lock {
  mkdirSync(path.dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    throw new JournalError(
      `Another decree is at work on this repository (it holds ${file}). Stop it first, or use it: \`decree status\`.`,
      { cause },
    );
  }
  return {
    release: () => {
      if (db.isOpen) db.close();
    },
  };
}

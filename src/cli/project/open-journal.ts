import { access } from 'node:fs/promises';
import type { Run } from '../../domain/run.ts';
import { createJournalReader } from '../../journal/create-journal-reader.ts';
import type { JournalReader } from '../../journal/create-journal-reader.ts';
import { CLIError } from '../cli-error.ts';
import { findRoot, placesIn } from './find-project.ts';

/** Reads from the journal of the repository around `cwd`. */
export async function withJournal<T>(cwd: string, read: (journal: JournalReader) => Promise<T> | T): Promise<T> {
  const { journal: file } = placesIn(await findRoot(cwd));
  await access(file).catch((cause: unknown) => {
    throw new CLIError('Nothing has run here yet: there is no journal.', 'Start decree with `decree`.', { cause });
  });
  const journal = createJournalReader(file);
  try {
    return await read(journal);
  } finally {
    journal.close();
  }
}

/** The one run whose session begins like this. */
export function findRun(journal: JournalReader, session: string): Run {
  const [first, ...others] = journal.findRuns(session);
  if (first === undefined) {
    throw new CLIError(`There is no run whose session begins with '${session}'.`, '`decree runs` lists them.');
  }
  if (others.length > 0) {
    throw new CLIError(`'${session}' is the beginning of ${others.length + 1} sessions.`, 'Give more of it.');
  }
  return first;
}

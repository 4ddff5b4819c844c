import { journalContract } from '../../test/contracts/journal.contract.test.ts';
import { createMemoryJournal } from './create-memory-journal.ts';

journalContract('in memory', async () => {
  const journal = createMemoryJournal();
  return { open: async () => journal, dispose: () => journal.close() };
});

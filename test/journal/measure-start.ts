import path from 'node:path';
import { restoreState } from '../../src/engine/state-store/restore-state.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';
import { createTestEngine } from '../engine/create-test-engine.ts';
import { createFakeForge } from '../engine/fake-forge.ts';
import { item } from './large-journal.ts';

export interface StartTimes {
  /** Opening the file, every page looked at. */
  readonly openMs: number;
  /** Reading the engine's own rows and making its state of them. */
  readonly loadMs: number;
  /** The whole start: the above, and as many items read from a forge that answers at once, until agents may start. */
  readonly startMs: number;
}

/** How long a start takes on a journal that `fillJournal` made in `folder`, which it changes. */
export async function measureStart(folder: string, items: number): Promise<StartTimes> {
  const forge = createFakeForge();
  for (let n = 1; n <= items; n++) forge.addItem({ ...item(n), status: 'approved' });
  const begin = performance.now();
  const journal = createSqliteJournal(path.join(folder, 'journal.db'));
  const opened = performance.now();
  const contents = await journal.load();
  restoreState(contents, contents.openCommands);
  const loaded = performance.now();
  const { engine } = createTestEngine({ forge, journal, repoRoot: folder });
  await engine.start();
  const started = performance.now();
  await engine.stop();
  await journal.close();
  const openMs = opened - begin;
  return { openMs, loadMs: loaded - opened, startMs: openMs + started - loaded };
}

import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { JournalError } from '../../src/engine/journal-port.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';
import { openDatabase } from '../../src/journal/open-database.ts';
import type { TestEngine } from '../engine/create-test-engine.ts';
import { createFakeForge } from '../engine/fake-forge.ts';
import { createFakeRuntime, implemented } from '../engine/fake-runtime.ts';
import { settle, until } from '../engine/until.ts';
import { useEngine } from '../engine/use-engine.ts';

const bench = useEngine();
const config = { agents: { dispatch: 'auto' } } as const;

/** From now on only a few more pages fit. */
function fillUp(db: DatabaseSync, roomForPages: number): void {
  const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
  db.exec(`PRAGMA max_page_count = ${pages + roomForPages}`);
}

/** How the engine ended by itself; agents that are running get their time to finish. */
async function endOf(t: TestEngine): Promise<unknown> {
  let end: unknown = 'not ended';
  void t.engine.ended.then((error) => (end = error));
  await until('the end', () => {
    t.clock.advance(60_000);
    return end !== 'not ended';
  });
  return end;
}

/** Asked twice: it does not wait for agents. */
async function stopAtOnce({ engine }: TestEngine): Promise<void> {
  await Promise.all([engine.stop(), engine.stop()]);
}

async function startOn(file: string, forge = createFakeForge()) {
  const db = openDatabase(file);
  const journal = createSqliteJournal(file, db);
  const t = await bench.start({ config, journal, forge, runtime: createFakeRuntime() });
  return { t, db, journal };
}

test('a disk that fills up while events come in stops the engine in good order; a restart goes on', async () => {
  const file = path.join(bench.folder(), 'journal.db');
  const { t, db, journal } = await startOn(file);
  fillUp(db, 10);
  for (let id = 1; id <= 400; id++) t.forge.addItem({ id: String(id), status: 'approved', title: 'x'.repeat(500) });
  t.forge.addItem({ id: '500', status: 'ready' });
  await t.engine.refresh();
  const error = await endOf(t);
  expect(error).toBeInstanceOf(JournalError);
  expect(error).toMatchObject({ kind: 'full', message: expect.stringMatching(/Make room and start again/) });
  expect(t.runtime.started).toEqual([]);
  await journal.close();

  const again = await startOn(file, t.forge);
  expect(again.t.engine.getSnapshot().workItems).toHaveLength(401);
  expect(again.t.runtime.live().map(({ params }) => 'workItemID' in params && params.workItemID)).toEqual(['500']);
  await stopAtOnce(again.t);
  await again.journal.close();
});

test('a result that does not fit stops the engine although smaller things would; its run is repeated', async () => {
  const file = path.join(bench.folder(), 'journal.db');
  const forge = createFakeForge();
  forge.addItem({ id: '1', status: 'ready' });
  const { t, db, journal } = await startOn(file, forge);
  fillUp(db, 10);
  t.runtime.live()[0]?.complete(implemented('x'.repeat(200_000)));
  expect(await endOf(t)).toMatchObject({ kind: 'full', message: expect.stringMatching(/store an agent's result/) });
  expect(forge.revisions.size).toBe(0);
  await journal.close();

  const again = await startOn(file, forge);
  again.t.clock.advance(60_000);
  await settle();
  again.t.runtime.live()[0]?.complete(implemented('x'.repeat(200_000)));
  await until('the revision', () => forge.revisions.size === 1);
  await stopAtOnce(again.t);
  await again.journal.close();
});

test('a disk that is full at the start rejects it with the reason', async () => {
  const file = path.join(bench.folder(), 'journal.db');
  const db = openDatabase(file);
  const journal = createSqliteJournal(file, db);
  fillUp(db, 0);
  const forge = createFakeForge();
  for (let id = 1; id <= 400; id++) forge.addItem({ id: String(id), status: 'approved', title: 'x'.repeat(500) });
  const t = bench.create({ config, journal, forge });
  await expect(t.engine.start()).rejects.toMatchObject({ name: 'JournalError', kind: 'full' });
  expect(await t.engine.ended).toMatchObject({ kind: 'full' });
  await journal.close();
});

test('upkeep that fails costs nothing but space', async () => {
  const file = path.join(bench.folder(), 'journal.db');
  const journal = createSqliteJournal(file);
  const refuse = async () => Promise.reject(new JournalError('no room', { kind: 'full' }));
  const load = async () => ({ ...(await journal.load()), lastSnapshotSeq: -1_000_000 });
  const t = await bench.start({ config, journal: { ...journal, load, saveSnapshot: refuse, prune: refuse } });
  await until('the warning', () => t.log.some(({ message }) => message === 'the journal could not be tidied up'));
  t.forge.addItem({ id: '1', status: 'ready' });
  await t.engine.refresh();
  await until('the agent', () => t.runtime.live().length === 1);
  await stopAtOnce(t);
  expect(await t.engine.ended).toBeNull();
  await journal.close();
});

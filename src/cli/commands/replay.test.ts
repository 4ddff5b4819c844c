import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createPlainTerminal } from '../../../test/cli/plain-terminal.ts';
import { createFakeForge } from '../../../test/engine/fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from '../../../test/engine/fake-runtime.ts';
import { settle, until } from '../../../test/engine/until.ts';
import { useEngine } from '../../../test/engine/use-engine.ts';
import type { Journal } from '../../engine/journal-port.ts';
import { runGitText } from '../../git/run-git.ts';
import { createSqliteJournal } from '../../journal/create-sqlite-journal.ts';
import { placesIn } from '../project/find-project.ts';
import { replay } from './replay.ts';

const bench = useEngine();
const config = { agents: { dispatch: 'auto' } } as const;

/** A repository whose journal has seen two lives, with a snapshot in each. */
async function makeProject(): Promise<{ cwd: string; open: () => Journal }> {
  const cwd = path.join(bench.folder(), 'repo');
  await mkdir(cwd);
  await runGitText(['init', '--quiet'], { cwd });
  const text = JSON.stringify({ forge: 'embedded', ...config });
  await writeFile(path.join(cwd, 'decree.config.ts'), `export default ${text};\n`);
  const open = () => createSqliteJournal(placesIn(cwd).journal);
  const forge = createFakeForge();
  for (let life = 0; life < 2; life++) {
    const journal = open();
    // As if thousands of events had passed since the last snapshot.
    const load = async () => ({ ...(await journal.load()), lastSnapshotSeq: -1_000_000 });
    forge.addItem({ id: String(life), status: 'ready' });
    const runtime = createFakeRuntime();
    const t = await bench.start({ config, forge, runtime, journal: { ...journal, load } });
    await until('the snapshot', () => t.log.some(({ message }) => message === 'snapshot saved'));
    runtime.live()[0]?.complete(implemented());
    await settle();
    runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    await t.engine.stop();
    await journal.close();
  }
  return { cwd, open };
}

async function replayed(cwd: string): Promise<{ code: number; said: string }> {
  const { terminal, said } = createPlainTerminal();
  const code = await replay({ terminal, cwd, isDebugging: false, environment: {} });
  return { code, said: said() };
}

async function prune(open: () => Journal): Promise<number> {
  const journal = open();
  await journal.prune({ snapshots: 2, events: 0, resultsSince: 0 });
  const [first] = await journal.readEvents(0, 1);
  await journal.close();
  return first?.seq ?? 0;
}

test('a whole record is replayed from its beginning, and arrives at each snapshot', async () => {
  const { cwd } = await makeProject();
  const { code, said } = await replayed(cwd);
  expect(said).toMatch(/^\d+ events replayed: the same \d+ commands, and the same state at 2 snapshots\.$/);
  expect(code).toBe(0);
});

test('what is left of a pruned one is replayed from the oldest snapshot', async () => {
  const { cwd, open } = await makeProject();
  const first = await prune(open);
  expect(first).toBeGreaterThan(1);
  const { code, said } = await replayed(cwd);
  const start = `from the snapshot of event ${first - 1} on`;
  expect(said).toMatch(
    new RegExp(`^\\d+ events replayed ${start}: the same \\d+ commands, and the same state at 1 snap`),
  );
  expect(code).toBe(0);
});

test('a state that is not reached again is named', async () => {
  const { cwd, open } = await makeProject();
  const journal = open();
  const newest = (await journal.readSnapshots()).at(-1);
  if (newest === undefined) throw new Error('there is no snapshot');
  await journal.saveSnapshot({ ...newest, body: newest.body.replace('"spend":[', '"spend":[["2020-01-01",1]') });
  await journal.close();
  const { code, said } = await replayed(cwd);
  expect(said).toContain(`1 led to something else (first: ${newest.seq}, in the state's spend)`);
  expect(code).toBe(1);
});

test('without a snapshot that this version can read, a pruned record is refused with the reason', async () => {
  const { cwd, open } = await makeProject();
  await prune(open);
  const journal = open();
  for (const snapshot of await journal.readSnapshots()) await journal.saveSnapshot({ ...snapshot, version: 999 });
  await journal.close();
  await expect(replayed(cwd)).rejects.toThrow('no snapshot of this version of decree');
});

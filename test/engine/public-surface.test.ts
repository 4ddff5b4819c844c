import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/domain/provider-error.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import { findRepoRoot } from '../../src/engine/find-repo-root.ts';
import { createFakeForge } from './fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from './fake-runtime.ts';
import { settle, until } from './until.ts';
import { revision, useEngine } from './use-engine.ts';

const bench = useEngine();

const PLAN = { role: 'planner', create: [], close: [], update: [] } as const;

describe('pull requests and CI', () => {
  const green = { status: 'success', url: null, reason: null, checkCount: 1 } as const;

  test('[ENG-12] [ENG-15] a pull request of a tracked item is linked, and its CI is told with the item', async () => {
    const t = await bench.start({}, ({ forge }) => {
      forge.addItem({ id: '1', status: 'review' });
      forge.revisions.set('10', revision({ workItemID: '1' }));
    });
    const link = {
      type: 'prLinked',
      issueNumber: 1,
      prNumber: 10,
      url: 'http://127.0.0.1/pull/10',
      ciStatus: 'pending',
    };
    expect(t.events).toContainEqual(link);
    t.forge.revisions.set('10', revision({ workItemID: '1', pipeline: green }));
    await t.engine.refresh();
    const change = {
      type: 'ciStatusChanged',
      prNumber: 10,
      issueNumber: 1,
      oldCIStatus: 'pending',
      newCIStatus: 'success',
    };
    expect(t.events.at(-1)).toEqual(change);
  });

  test('[ENG-13] [ENG-16] one that closes nothing of ours is not linked, and its CI is told without an item', async () => {
    const t = await bench.start({}, ({ forge }) => forge.revisions.set('10', revision({})));
    t.forge.revisions.set('10', revision({ pipeline: green }));
    await t.engine.refresh();
    expect(t.events.filter((e) => e.type === 'prLinked')).toEqual([]);
    expect(t.events.at(-1)).toEqual({
      type: 'ciStatusChanged',
      prNumber: 10,
      oldCIStatus: 'pending',
      newCIStatus: 'success',
    });
  });

  test('[ENG-17] with a closed pull request goes what was known about its CI', async () => {
    const t = await bench.start({}, ({ forge }) => {
      forge.addItem({ id: '1', status: 'blocked' });
      forge.revisions.set('10', revision({ workItemID: '1', pipeline: green }));
    });
    expect(t.engine.getSnapshot().workItems[0]?.linkedRevision).toBe('10');
    t.forge.revisions.set('10', revision({ workItemID: '1', state: 'closed' }));
    await t.engine.refresh();
    await settle();
    expect(t.engine.getSnapshot().revisions).toEqual([]);
    expect(t.engine.getSnapshot().workItems[0]?.linkedRevision).toBeNull();
  });

  test('CI that could not be read is no change and removes nothing', async () => {
    const t = await bench.start({}, ({ forge }) => forge.revisions.set('10', revision({ pipeline: green })));
    const before = t.events.length;
    t.forge.revisions.set('10', revision({ pipeline: null }));
    await t.engine.refresh();
    expect(t.engine.getSnapshot().revisions[0]?.pipeline).toEqual(green);
    expect(t.events).toHaveLength(before);
  });
});

describe('runs', () => {
  test('[AGM-02] a reviewer is not started twice, and the log says why', async () => {
    const t = await bench.start({ config: { agents: { dispatch: 'auto' } } }, ({ forge }) =>
      forge.addItem({ id: '1', status: 'ready' }),
    );
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    t.engine.send({ command: 'dispatchReviewer', issueNumber: 1 });
    await settle();
    expect(t.runtime.started.map(({ params }) => params.role)).toEqual(['implementor', 'reviewer']);
    const reason = expect.stringContaining('already running (reviewer)');
    expect(t.log).toContainEqual({
      level: 'info',
      message: 'command refused',
      fields: expect.objectContaining({ reason }),
    });
  });

  test('[AGM-05] [ENG-07] a failed run names its session, its branch and where its work is; nobody reviews it', async () => {
    const t = await bench.start({ config: { agents: { dispatch: 'auto' } } }, ({ forge }) =>
      forge.addItem({ id: '1', status: 'ready' }),
    );
    const [run] = t.runtime.live();
    run?.fail('it broke');
    await settle();
    expect(t.events).toContainEqual({
      type: 'agentFailed',
      agentType: 'implementor',
      issueNumber: 1,
      sessionID: run?.params.sessionID,
      branchName: `issue-1-${t.clock.now()}`,
      error: 'it broke',
      savedRef: 'refs/decree/runs/x',
    });
    expect(t.runtime.started.map(({ params }) => params.role)).toEqual(['implementor']);
    expect(t.forge.writes.filter((call) => call.startsWith('createFromPatch'))).toEqual([]);
  });

  test('a failed review leaves the item in review and is tried again; then it waits for a person', async () => {
    const t = await bench.start({ config: { agents: { dispatch: 'auto', maxAttempts: 2 } } }, ({ forge }) =>
      forge.addItem({ id: '1', status: 'ready' }),
    );
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    t.runtime.live()[0]?.fail('the reviewer fell asleep');
    await settle();
    t.clock.advance(30_000);
    await until('the second reviewer', () => t.runtime.started.length === 3);
    t.runtime.live()[0]?.fail('again');
    await settle();
    t.clock.advance(3_600_000);
    await settle();
    expect(t.runtime.started.map(({ params }) => params.role)).toEqual(['implementor', 'reviewer', 'reviewer']);
    expect(t.forge.items.get('1')?.status).toBe('review');
    t.engine.send({ command: 'dispatchReviewer', issueNumber: 1 });
    await until('a reviewer by hand', () => t.runtime.live().length === 1);
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    expect(t.forge.items.get('1')?.status).toBe('approved');
  });

  test("[AGM-19] [AGM-20] [AGM-21] a running agent's output can be read by several, from the beginning; a finished one's cannot", async () => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    const [planner] = t.runtime.live();
    const sessionID = planner?.params.sessionID ?? '';
    planner?.print('one ');
    const first = collect(t.engine.getAgentStream(sessionID));
    await settle();
    planner?.print('two');
    const second = collect(t.engine.getAgentStream(sessionID));
    await settle();
    planner?.complete(PLAN);
    expect(await first).toBe('one two');
    expect(await second).toBe('one two');
    await settle();
    expect(t.engine.getAgentStream(sessionID)).toBeNull();
    expect(t.engine.getAgentStream('unknown')).toBeNull();
  });

  test('a result that comes after its run was cancelled is not applied', async () => {
    const deaf = createFakeRuntime();
    deaf.adapter.cancelAgent = () => {};
    const t = await bench.start({ runtime: deaf }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    t.forge.close('1', 'not-planned');
    await t.engine.refresh();
    await settle();
    t.runtime.live()[0]?.complete(implemented('late'));
    await settle();
    expect(t.forge.revisions.size).toBe(0);
    const sessionID = t.runtime.started[0]?.params.sessionID ?? '';
    expect((await t.journal.loadResult(sessionID))?.result).toEqual(implemented('late'));
  });
});

describe('starting and stopping', () => {
  test('[ENG-34] a given root is used as it is, without asking git', async () => {
    const { provider } = createFakeForge();
    const config = { forge: 'embedded' } as const;
    const engine = createEngine({
      config,
      provider,
      runtime: () => createFakeRuntime().adapter,
      repoRoot: bench.folder(),
    });
    await engine.start();
    await engine.stop();
    expect(await readFile(path.join(bench.folder(), '.decree', 'journal.db'), 'latin1')).toContain('SQLite format 3');
  });

  test('[ENG-36] outside a git repository the engine says so and does not start', () => {
    const errors: string[] = [];
    const quiet = () => {};
    const logger = {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (_: object, message: string) => errors.push(message),
    };
    const before = process.cwd();
    process.chdir(bench.folder());
    try {
      expect(() => findRepoRoot(logger)).toThrow(/must run inside a git repository.*repoRoot/s);
    } finally {
      process.chdir(before);
    }
    expect(errors).toHaveLength(1);
    expect(findRepoRoot(logger)).toBe(before);
  });

  test('[ENG-35] an agent that cannot be created is a failed start: reported, its item restored', async () => {
    const t = await bench.start({ config: { agents: { dispatch: 'auto' } } }, ({ forge, runtime }) => {
      forge.addItem({ id: '1', status: 'ready' });
      runtime.onStart = () => {
        throw new Error('.claude/agents/implementor.md does not exist');
      };
    });
    expect(t.events).toContainEqual(
      expect.objectContaining({ type: 'agentFailed', error: expect.stringContaining('implementor.md') }),
    );
    expect(t.forge.items.get('1')?.status).toBe('ready');
  });

  test('bad credentials reject the start', async () => {
    const t = bench.create();
    t.forge.onListed = () => Promise.reject(new ProviderError('unauthorized', 'the key is wrong'));
    await expect(t.engine.start()).rejects.toThrow('the key is wrong');
    await t.engine.stop();
  });

  test('a forge that is down at the start is waited for; later troubles are said once and shown', async () => {
    const t = bench.create();
    let isDown = true;
    t.forge.onListed = async () => {
      if (isDown) throw new ProviderError('unavailable', 'no answer');
    };
    const start = t.engine.start();
    await until('the trouble', () => t.engine.getSnapshot().notices.length > 0);
    expect(t.engine.getSnapshot().notices).toEqual(['issues: no answer']);
    await settle();
    isDown = false;
    t.clock.advance(30_000);
    await start;
    expect(t.engine.getSnapshot().notices).toEqual([]);
    isDown = true;
    for (let cycle = 0; cycle < 3; cycle++) await t.engine.refresh();
    expect(t.log.filter(({ message }) => message.startsWith('poll failed'))).toHaveLength(2);
  });

  test('a shutdown lets agents finish, up to its timeout; then they are interrupted and taken up at the next start', async () => {
    const t = await bench.start({ config: { agents: { dispatch: 'auto' }, shutdownTimeout: 60 } }, ({ forge }) => {
      for (const id of ['1', '2']) forge.addItem({ id, status: 'ready' });
    });
    const stopped = t.engine.stop();
    await settle();
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    expect(t.forge.revisions.size).toBe(1);
    expect(t.runtime.started).toHaveLength(2); // no reviewer any more
    t.clock.advance(60_000);
    await stopped;
    expect(t.runtime.live()).toEqual([]);

    const { forge, journal, clock } = t;
    const again = await bench.start({ config: { agents: { dispatch: 'auto' } }, forge, journal, clock });
    again.clock.advance(61_000);
    await until('both go on', () => again.runtime.live().length === 2);
    expect(
      again.runtime
        .live()
        .map(({ params }) => params.role)
        .sort(),
    ).toEqual(['implementor', 'reviewer']);
  });

  test('a listener that throws harms nobody', async () => {
    const t = bench.create();
    t.forge.addItem({ id: '1' });
    t.engine.on(() => {
      throw new Error('oops');
    });
    await t.engine.start();
    await settle();
    expect(t.events.length).toBeGreaterThan(0);
    expect(t.log.some(({ message }) => message === 'a listener threw')).toBe(true);
  });
});

async function collect(stream: AsyncIterable<string> | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}

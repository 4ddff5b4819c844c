import { describe, expect, test } from 'vitest';
import { PatchError, ProviderError } from '../../src/domain/provider-error.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import { atWork, implementedAnd, oneItem, relabel, roles, timePasses } from './acts.ts';
import { createFakeForge } from './fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from './fake-runtime.ts';
import { createManualClock } from './manual-clock.ts';
import { settle } from './until.ts';
import { revision, useEngine } from './use-engine.ts';

const bench = useEngine();
const AUTO = { agents: { dispatch: 'auto' } } as const;
const ONE_SLOT = { agents: { dispatch: 'auto', maxConcurrent: 1 } } as const;

describe('nothing spins', () => {
  test('a patch that always conflicts is given up', async () => {
    const t = await oneItem(bench);
    t.forge.onWrite = (call) => {
      if (call.startsWith('createFromPatch')) throw new PatchError('conflict', 'c', { paths: ['a'] });
    };
    for (let turn = 0; turn < 20; turn++) {
      for (const run of t.runtime.live()) run.complete(implemented(`patch ${turn}`));
      await settle();
    }
    expect(t.runtime.started).toHaveLength(3);
    expect(t.forge.items.get('1')?.status).toBe('blocked');
    expect(t.forge.comments[0]?.body).toContain('status:unblocked');
  });
});

describe('runs that wait', () => {
  test('one that may no longer start does not starve the others', async () => {
    const t = await bench.start({ config: ONE_SLOT }, ({ forge }) => {
      forge.addItem({ id: '1', status: 'ready', priority: 'high' });
      forge.addItem({ id: '2', status: 'ready', priority: 'high' });
      forge.addItem({ id: '3', status: 'ready', priority: 'low' });
    });
    await relabel(t, '2', 'blocked');
    t.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    expect(atWork(t)).toEqual(['3']);
  });

  test('nor one whose item was closed while no engine was running', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    for (const id of ['1', '2']) forge.addItem({ id, status: 'ready', priority: 'high' });
    forge.addItem({ id: '3', status: 'ready' });
    await bench.start({ config: ONE_SLOT, forge, journal });
    forge.close('1', 'completed');
    forge.close('2', 'completed');
    const t = await bench.start({ config: ONE_SLOT, forge, journal, runtime: createFakeRuntime() });
    await timePasses(t, 60_000);
    expect(atWork(t)).toEqual(['3']);
  });

  test('one that is cancelled just as it gets its slot does not start', async () => {
    const memory = createMemoryJournal();
    const slow: typeof memory.append = async (entry) => {
      for (let turn = 0; turn < 3; turn++) await Promise.resolve();
      return memory.append(entry);
    };
    const t = await bench.start(
      { journal: { ...memory, append: slow }, config: { agents: { maxConcurrent: 1 } } },
      ({ forge }) => {
        for (const id of ['1', '2']) forge.addItem({ id, status: 'ready' });
      },
    );
    for (const issueNumber of [1, 2]) t.engine.send({ command: 'dispatchImplementor', issueNumber });
    await settle();
    t.engine.send({ command: 'cancelAgent', issueNumber: 2 });
    t.runtime.live()[0]?.fail('x');
    await settle();
    expect(t.runtime.live()).toEqual([]);
    expect(t.forge.items.get('2')?.status).toBe('ready');
  });

  test('a reviewer that waited looks at what was pushed meanwhile', async () => {
    const t = await bench.start({ config: { agents: { dispatch: 'auto', maxConcurrent: 1 } } }, ({ forge }) => {
      forge.addItem({ id: '1', status: 'ready', priority: 'low' });
    });
    t.forge.addItem({ id: '2', status: 'ready', priority: 'high' });
    await t.engine.refresh();
    await settle();
    await implementedAnd(t); // the second item has been waiting, and is more urgent
    expect(atWork(t)).toEqual(['2']);
    const [published] = t.forge.revisions.values();
    if (published === undefined) throw new Error('nothing was published');
    t.forge.revisions.set(published.id, { ...published, headSHA: 'pushed' });
    await t.engine.refresh();
    t.runtime.live()[0]?.fail('x');
    await settle();
    await implementedAnd(t);
    t.runtime
      .live()
      .find(({ params }) => params.role === 'reviewer')
      ?.complete(reviewed('approve'));
    await settle();
    expect(t.runtime.started.filter(({ params }) => params.role === 'reviewer')).toHaveLength(1);
  });
});

describe('dependents', () => {
  test('are freed by a blocker that is closed while its agent runs', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => {
      forge.addItem({ id: '1', status: 'ready' });
      forge.addItem({ id: '2', blockedBy: ['1'] });
    });
    t.forge.close('1', 'completed');
    await timePasses(t, 1_000);
    expect(t.forge.items.get('2')?.status).toBe('in-progress');
  });

  test('wait again for a blocker that is reopened', async () => {
    const t = await bench.start({}, ({ forge }) => {
      for (const id of ['1', '2']) forge.addItem({ id, status: 'approved' });
      forge.addItem({ id: '3', blockedBy: ['1', '2'] });
    });
    t.forge.close('1', 'completed');
    await t.engine.refresh();
    await settle();
    t.forge.addItem({ id: '1', status: 'needs-changes' }); // reopened
    await t.engine.refresh();
    await settle();
    t.forge.close('2', 'completed');
    await t.engine.refresh();
    await settle();
    expect(t.forge.items.get('3')?.status).toBe('pending');
  });
});

describe('a shutdown', () => {
  test('leaves no agent behind that was about to start', async () => {
    const t = await bench.start({}, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    const gate = Promise.withResolvers<void>();
    const { transitionStatus } = t.forge.provider.workItemWriter;
    t.forge.provider.workItemWriter.transitionStatus = async (...args) => {
      await gate.promise;
      return transitionStatus(...args);
    };
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    const stopped = t.engine.stop();
    await settle();
    gate.resolve();
    await stopped;
    expect(t.runtime.started).toEqual([]);
  });

  test('asked for twice does not wait for a forge that hangs', async () => {
    const t = await bench.start({});
    const gate = Promise.withResolvers<void>();
    t.forge.onListed = () => gate.promise;
    void t.engine.refresh();
    await settle();
    void t.engine.stop();
    await expect(t.engine.stop()).resolves.toBeUndefined();
    gate.resolve();
  });

  test('does not use up attempts', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    const clock = createManualClock();
    forge.addItem({ id: '1', status: 'ready' });
    for (let life = 0; life < 4; life++) {
      const t = await bench.start({ config: AUTO, forge, journal, clock, runtime: createFakeRuntime() });
      clock.advance(3_600_000);
      await settle();
      expect(t.runtime.live()[0]?.params).toMatchObject({ attempt: 1 });
      void t.engine.stop();
      await t.engine.stop();
    }
  });
});

describe('the forge', () => {
  test('is asked again whether a pull request can be merged, until it knows', async () => {
    const t = await oneItem(bench);
    await implementedAnd(t, 'approve');
    let answer: boolean | null = true;
    let head = 'main1';
    const { getRevision } = t.forge.provider.revisionReader;
    t.forge.provider.specReader.getDefaultHead = async () => head;
    t.forge.provider.revisionReader.getRevision = async (id) => {
      const found = await getRevision(id);
      return found === null ? null : { ...found, isMergeable: answer };
    };
    await t.engine.refresh();
    head = 'main2';
    answer = null;
    await t.engine.refresh();
    expect(t.engine.getSnapshot().revisions[0]?.isMergeable).toBeNull();
    answer = false;
    await t.engine.refresh();
    await settle();
    expect(roles(t)).toEqual(['implementor', 'reviewer', 'implementor']);
  });

  test('gets nothing that no longer applies after a limit was waited for', async () => {
    const t = await oneItem(bench);
    let isLimited = true;
    t.forge.onWrite = (call) => {
      if (!call.startsWith('createFromPatch') || !isLimited) return;
      isLimited = false;
      throw new ProviderError('rate-limited', 'wait', { until: t.clock.now() + 3_000_000 });
    };
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    expect(t.engine.getSnapshot().notices.join()).toContain('publishRevision of #1 waits: wait');
    t.forge.close('1', 'not-planned');
    await t.engine.refresh();
    await settle();
    t.clock.advance(3_000_000);
    await settle();
    expect(t.forge.writes).not.toContain('createFromPatch 1');
  });

  test('that refuses a review gets it told on the item; nothing is lost without a word', async () => {
    const t = await oneItem(bench);
    t.forge.onWrite = (call) => {
      if (call.startsWith('postReview')) throw new ProviderError('rejected', '422');
    };
    await implementedAnd(t, 'approve');
    await timePasses(t);
    expect(roles(t)).toEqual(['implementor', 'reviewer']);
    expect(t.forge.comments[0]?.body).toContain('The review could not be posted');
  });

  test('that refuses the words of a status gets the status all the same', async () => {
    const t = await oneItem(bench);
    t.forge.onWrite = (call) => {
      if (call.startsWith('postWorkItemComment')) throw new ProviderError('rejected', 'too long');
    };
    const nothing = { patch: null, baseSHA: null, treeSHA: null };
    t.runtime.live()[0]?.complete({ role: 'implementor', outcome: 'blocked', summary: 's', ...nothing });
    await settle();
    expect(t.forge.items.get('1')?.status).toBe('blocked');
  });

  test('that refuses a merge is told to whoever asked', async () => {
    const t = await oneItem(bench);
    await implementedAnd(t, 'approve');
    t.forge.onWrite = (call) => {
      if (call.startsWith('mergeRevision')) throw new ProviderError('conflict', 'the head has moved');
    };
    t.engine.send({ command: 'mergeRevision', issueNumber: 1 });
    await settle();
    expect(t.engine.getSnapshot().notices).toEqual(['mergeRevision of #1 failed: the head has moved']);
  });

  test('may list pull requests before issues: the link is told once all the same', async () => {
    const t = bench.create();
    t.forge.addItem({ id: '1', status: 'review' });
    t.forge.revisions.set('10', revision({ id: '10', workItemID: '1' }));
    t.forge.onListed = settle;
    await t.engine.start();
    await t.engine.refresh();
    expect(t.events.filter(({ type }) => type === 'prLinked')).toHaveLength(1);
  });
});

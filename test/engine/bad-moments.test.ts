import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/domain/provider-error.ts';
import type { Journal } from '../../src/engine/journal-port.ts';
import { JournalError } from '../../src/engine/journal-port.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import { atWork, implementedAnd, oneItem, roles } from './acts.ts';
import { createFakeForge } from './fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from './fake-runtime.ts';
import { createManualClock } from './manual-clock.ts';
import { settle } from './until.ts';
import { useEngine } from './use-engine.ts';

const bench = useEngine();
const AUTO = { agents: { dispatch: 'auto' } } as const;
const AWAY = new ProviderError('unavailable', 'away');

/** The process dies as it wants to record such an event. */
function dyingAt(journal: Journal, type: string): Journal {
  return {
    ...journal,
    append: async (entry) => {
      if (entry.event.body.type === type) throw new JournalError('killed');
      return journal.append(entry);
    },
  };
}

describe('an engine that is killed', () => {
  test('as a run is cancelled that has just got its slot leaves no command open for ever', async () => {
    const memory = createMemoryJournal();
    const slow: typeof memory.append = async (entry) => {
      for (let turn = 0; turn < 3; turn++) await Promise.resolve();
      return memory.append(entry);
    };
    const forge = createFakeForge();
    for (const id of ['1', '2']) forge.addItem({ id, status: 'ready' });
    const { transitionStatus } = forge.provider.workItemWriter;
    const answer = Promise.withResolvers<void>();
    forge.provider.workItemWriter.transitionStatus = (id, to) =>
      id === '2' ? answer.promise : transitionStatus(id, to);
    const config = { agents: { maxConcurrent: 1 } } as const;
    const first = bench.create({ forge, config, journal: { ...memory, append: slow } });
    await first.engine.start();
    for (const issueNumber of [1, 2]) first.engine.send({ command: 'dispatchImplementor', issueNumber });
    await settle();
    first.engine.send({ command: 'cancelAgent', issueNumber: 2 });
    first.runtime.live()[0]?.fail('x');
    await settle();
    expect((await memory.load()).openCommands).toMatchObject([{ command: { type: 'startRun' } }]);

    forge.provider.workItemWriter.transitionStatus = transitionStatus;
    const second = await bench.start({ forge, config, journal: memory, runtime: createFakeRuntime() });
    expect((await memory.load()).openCommands).toEqual([]);
    second.engine.send({ command: 'dispatchImplementor', issueNumber: 2 });
    await settle();
    expect(second.runtime.live()[0]?.params).toMatchObject({ workItemID: '2' });
    answer.resolve();
  });

  test('while a start waits for the forge has lost no agent: neither an attempt nor money', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    forge.addItem({ id: '1', status: 'ready' });
    const runtime = createFakeRuntime();
    runtime.onStart = () => {
      throw AWAY;
    };
    await bench.start({ config: AUTO, forge, journal, runtime });
    const clock = createManualClock();
    const second = await bench.start({ config: AUTO, forge, journal, clock, runtime: createFakeRuntime() });
    clock.advance(1);
    await settle();
    expect(second.runtime.live().map(({ params }) => params.attempt)).toEqual([1]);
    expect(second.engine.getSnapshot().spend.settledUSD).toBe(0);
  });

  test('uses the result that it has stored, although the first listing does not mention the item', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    forge.addItem({ id: '1', status: 'ready' });
    const first = await bench.start({ config: AUTO, forge, journal: dyingAt(journal, 'runCompleted') });
    first.runtime.live()[0]?.complete(implemented());
    await settle();
    missesOnce(forge.provider.workItemReader, 'listWorkItems');
    const second = await bench.start({ config: AUTO, forge, journal, runtime: createFakeRuntime() });
    expect(forge.writes).toContain('createFromPatch 1');
    expect(roles(second)).toEqual(['reviewer']);
  });

  test('posts the verdict that it has stored, although the first listing does not mention the pull request', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    forge.addItem({ id: '1', status: 'ready' });
    let dies = false;
    const mortal: Journal = {
      ...journal,
      append: async (entry) => {
        if (dies) throw new JournalError('killed');
        return journal.append(entry);
      },
    };
    const first = await bench.start({ config: AUTO, forge, journal: mortal });
    await implementedAnd(first);
    dies = true;
    first.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    missesOnce(forge.provider.revisionReader, 'listRevisions');
    await bench.start({ config: AUTO, forge, journal, runtime: createFakeRuntime() });
    expect(forge.reviews).toHaveLength(1);
    expect(forge.items.get('1')?.status).toBe('approved');
  });

  test('does not take a listing that lags behind its own last write for a person', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    const clock = createManualClock();
    forge.addItem({ id: '1', status: 'ready' });
    const first = await bench.start({ config: AUTO, forge, journal, clock });
    first.runtime.live()[0]?.fail('no');
    await settle();
    const { listWorkItems } = forge.provider.workItemReader;
    let isOld = true;
    forge.provider.workItemReader.listWorkItems = async () => {
      const listed = await listWorkItems();
      const answer = isOld ? listed.map((item) => ({ ...item, status: 'in-progress' as const })) : listed;
      isOld = false;
      return answer;
    };
    const second = await bench.start({ config: AUTO, forge, journal, clock, runtime: createFakeRuntime() });
    clock.advance(30_000);
    await settle();
    expect(second.runtime.live().map(({ params }) => params.attempt)).toEqual([2]);
  });
});

/** A list that moves while its pages are read can skip an entry. */
function missesOnce<K extends string>(reader: Record<K, () => Promise<readonly unknown[]>>, name: K): void {
  const list = reader[name];
  let isFirst = true;
  Object.assign(reader, {
    [name]: async () => {
      const listed = await list();
      const answer = isFirst ? [] : listed;
      isFirst = false;
      return answer;
    },
  });
}

describe('cancelling', () => {
  test.each(['marked', 'started'])('takes effect at once where a run waits for the forge to be %s', async (what) => {
    const t = await bench.start({ config: AUTO });
    if (what === 'marked') {
      t.forge.onWrite = (call) => {
        if (call.includes('in-progress')) throw AWAY;
      };
    } else {
      t.runtime.onStart = () => {
        throw AWAY;
      };
    }
    t.forge.addItem({ id: '1', status: 'ready' });
    await t.engine.refresh();
    await settle();
    expect(t.engine.getSnapshot().runs).toHaveLength(1);
    t.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    expect(t.engine.getSnapshot().runs).toEqual([]);
    expect(t.engine.getSnapshot().notices).toEqual([]);
    t.forge.onWrite = () => {};
    t.runtime.onStart = () => {};
    t.clock.advance(3_600_000);
    await settle();
    expect(t.runtime.started).toEqual([]);
    expect(t.forge.items.get('1')?.status).toBe('ready');
    expect((await t.journal.load()).openCommands).toEqual([]);
  });

  test('leaves no item marked whose mark got lost on the way back', async () => {
    const t = await bench.start({ config: AUTO });
    t.forge.onWrite = (call, phase) => {
      if (call.includes('in-progress') && phase === 'after') throw AWAY;
    };
    t.forge.addItem({ id: '1', status: 'ready' });
    await t.engine.refresh();
    await settle();
    t.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    expect(t.engine.getSnapshot().runs).toEqual([]);
    expect(t.forge.items.get('1')?.status).toBe('ready');
  });

  test('and then stopping the engine is no failure of the agent', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    forge.addItem({ id: '1', status: 'ready' });
    const slow = createFakeRuntime();
    const { cancelAgent } = slow.adapter;
    slow.adapter.cancelAgent = () => {};
    const first = await bench.start({ config: AUTO, forge, journal, runtime: slow });
    first.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    slow.adapter.cancelAgent = cancelAgent;
    await Promise.all([first.engine.stop(), first.engine.stop()]);
    await bench.start({ config: AUTO, forge, journal, runtime: createFakeRuntime() });
    expect(forge.comments).toEqual([]);
    expect(forge.items.get('1')?.status).toBe('pending');
  });

  test('and then losing the engine is no failure of the agent either', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    forge.addItem({ id: '1', status: 'ready' });
    const deaf = createFakeRuntime();
    deaf.adapter.cancelAgent = () => {};
    const first = await bench.start({ config: AUTO, forge, journal, runtime: deaf });
    first.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    const second = await bench.start({ config: AUTO, forge, journal, runtime: createFakeRuntime() });
    second.clock.advance(3_600_000);
    await settle();
    deaf.live()[0]?.fail('the test is over');
    expect(forge.comments).toEqual([]);
    expect(forge.items.get('1')?.status).toBe('pending');
    expect(second.runtime.started).toEqual([]);
  });
});

test('a verdict that waits for the forge is posted, also when somebody asks for another review meanwhile', async () => {
  const t = await oneItem(bench);
  await implementedAnd(t);
  t.forge.onWrite = (call) => {
    if (call.startsWith('postReview')) throw AWAY;
  };
  t.runtime.live()[0]?.complete(reviewed('approve'));
  await settle();
  t.engine.send({ command: 'dispatchReviewer', issueNumber: 1 });
  await settle();
  t.forge.onWrite = () => {};
  t.clock.advance(120_000);
  await settle();
  t.clock.advance(120_000);
  await settle();
  expect(t.forge.reviews).toHaveLength(1);
  expect(t.runtime.started).toHaveLength(2);
});

test('a conflict that is read while our own write is on its way is not forgotten', async () => {
  const t = await oneItem(bench);
  const { revisionReader, specReader, workItemWriter } = t.forge.provider;
  const { listRevisions } = revisionReader;
  // Listings do not say whether a pull request can be merged.
  revisionReader.listRevisions = async () => (await listRevisions()).map((each) => ({ ...each, isMergeable: null }));
  await implementedAnd(t);
  const mergeable = (is: boolean) => {
    for (const each of t.forge.revisions.values()) t.forge.revisions.set(each.id, { ...each, isMergeable: is });
  };
  mergeable(true);
  await t.engine.refresh();
  await settle();
  const { transitionStatus } = workItemWriter;
  const answer = Promise.withResolvers<void>();
  workItemWriter.transitionStatus = async (id, to) => {
    if (to === 'approved') await answer.promise;
    return transitionStatus(id, to);
  };
  t.runtime.live()[0]?.complete(reviewed('approve'));
  await settle();
  specReader.getDefaultHead = async () => 'moved';
  mergeable(false);
  await t.engine.refresh();
  await settle();
  answer.resolve();
  await settle();
  await t.engine.refresh();
  await settle();
  expect(t.forge.writes).toContain('transitionStatus 1 needs-changes');
});

test('a run that the policy holds back does not keep others from its slot', async () => {
  let held = '';
  const t = await bench.start(
    {
      config: { agents: { maxConcurrent: 1 } },
      policy: (command) =>
        command.type === 'startRun' && 'workItemID' in command.subject && command.subject.workItemID === held
          ? 'not now'
          : null,
    },
    ({ forge }) => {
      for (const id of ['1', '2', '3']) forge.addItem({ id, status: 'ready' });
    },
  );
  for (const issueNumber of [1, 2, 3]) {
    t.engine.send({ command: 'dispatchImplementor', issueNumber });
    await settle();
  }
  held = '2';
  t.engine.send({ command: 'cancelAgent', issueNumber: 1 });
  await settle();
  expect(atWork(t)).toEqual(['3']);
  held = '';
  t.engine.send({ command: 'cancelAgent', issueNumber: 3 });
  await settle();
  expect(atWork(t)).toEqual(['2']);
});

test('an engine that is stopped while it starts takes up nothing any more', async () => {
  const forge = createFakeForge();
  const journal = createMemoryJournal();
  forge.addItem({ id: '1', status: 'ready' });
  await bench.start({ config: AUTO, forge, journal });
  const listing = Promise.withResolvers<void>();
  forge.onListed = () => listing.promise;
  const second = bench.create({ config: AUTO, forge, journal, runtime: createFakeRuntime() });
  const started = second.engine.start().catch((error: unknown) => error);
  await settle();
  const stopped = second.engine.stop();
  listing.resolve();
  await stopped;
  expect(await started).toMatchObject({ message: 'The engine was stopped while it was starting.' });
  expect(second.runtime.takenOver).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/domain/provider-error.ts';
import { decide } from '../../src/engine/event-loop/create-event-loop.ts';
import type { Journal } from '../../src/engine/journal-port.ts';
import { JournalError } from '../../src/engine/journal-port.ts';
import { settingsFrom } from '../../src/engine/settings-from-config.ts';
import { emptyState } from '../../src/engine/state-store/engine-state.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import type { TestEngine } from './create-test-engine.ts';
import { createFakeForge } from './fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from './fake-runtime.ts';
import { settle, until } from './until.ts';
import { useEngine } from './use-engine.ts';

const bench = useEngine();

const AUTO = { agents: { dispatch: 'auto' } } as const;
const PLAN = {
  role: 'planner',
  create: ['one', 'two'].map((tempID) => ({ tempID, title: tempID, body: 'b', labels: [], blockedBy: [] })),
  close: [],
  update: [],
} as const;

/** A journal whose process dies at a certain write: from then on nothing is written any more. */
function dyingJournal(journal: Journal, diesAt: (call: string) => boolean): Journal & { isDead: () => boolean } {
  let dead = false;
  function guard<A extends unknown[], R>(name: string, method: (...args: A) => Promise<R>) {
    return async (...args: A): Promise<R> => {
      dead ||= diesAt(`${name} ${JSON.stringify(args)}`);
      if (dead) throw new JournalError('killed');
      return method(...args);
    };
  }
  return {
    ...journal,
    isDead: () => dead,
    load: guard('load', journal.load),
    append: guard('append', journal.append),
    appendAll: guard('append', journal.appendAll),
    beginStep: guard('beginStep', journal.beginStep),
    endStep: guard('endStep', journal.endStep),
    saveResult: guard('saveResult', journal.saveResult),
    loadResult: guard('loadResult', journal.loadResult),
  };
}

describe('a call whose answer is lost', () => {
  test('a creating call that took effect is found and not repeated', async () => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    let losses = 1;
    t.forge.onWrite = (call, phase) => {
      if (call === 'createWorkItem one' && phase === 'after' && losses-- > 0)
        throw new ProviderError('unavailable', '502');
    };
    t.runtime.started[0]?.complete(PLAN);
    await settle();
    t.clock.advance(1_000);
    await until('both items', () => t.forge.items.size === 2);
    await settle();
    expect(t.forge.writes.filter((call) => call === 'createWorkItem one')).toHaveLength(1);
  });

  test('one that did not take effect is repeated, but only after the lists had time to catch up', async () => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    let losses = 1;
    t.forge.onWrite = (call, phase) => {
      if (call === 'createWorkItem one' && phase === 'before' && losses-- > 0)
        throw new ProviderError('unavailable', '502');
    };
    t.runtime.started[0]?.complete(PLAN);
    await settle();
    t.clock.advance(1_000);
    await settle();
    expect(t.forge.writes).toEqual([]);
    t.clock.advance(59_000);
    await settle();
    expect(t.forge.writes).toEqual([]);
    t.clock.advance(1_000);
    await until('both items', () => t.forge.items.size === 2);
    await settle();
    expect(t.forge.writes.filter((call) => call.startsWith('createWorkItem'))).toEqual([
      'createWorkItem one',
      'createWorkItem two',
    ]);
  });

  test('a forge that is down holds up its own lane only', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => {
      forge.addItem({ id: '1', status: 'ready' });
      forge.addItem({ id: '2', status: 'ready' });
      forge.onWrite = (call) => {
        if (call.startsWith('transitionStatus 1')) throw new ProviderError('unavailable', 'no answer');
      };
    });
    expect(t.runtime.live().map(({ params }) => 'workItemID' in params && params.workItemID)).toEqual(['2']);
    t.forge.onWrite = () => {};
    t.clock.advance(1_000);
    await until('the first item', () => t.runtime.live().length === 2);
  });

  test('a limit of the forge is waited for, to its end', async () => {
    const t = await bench.start({}, ({ forge, clock }) => {
      forge.addItem({ id: '1' });
      const until = clock.now() + 600_000;
      forge.onWrite = () => {
        if (clock.now() < until) throw new ProviderError('rate-limited', 'slow down', { until });
      };
    });
    t.clock.advance(599_000);
    await settle();
    expect(t.forge.writes).toEqual([]);
    t.clock.advance(1_000);
    await until('the write', () => t.forge.writes.length === 1);
  });
});

describe('a process that dies', () => {
  const scenarios = [
    { name: 'before the plan is recorded', diesAt: 'append .*"runCompleted".*"planner"' },
    { name: 'while an item is created', diesAt: 'endStep .*create work item' },
    { name: 'before an item counts as created', diesAt: 'append .*"workItemCreated".*"one"' },
    { name: 'before the result is stored', diesAt: 'saveResult .*implementor' },
    { name: 'between the result and its event', diesAt: 'append .*"runCompleted".*"implementor"' },
    { name: 'before the revision is begun', diesAt: 'beginStep .*create revision' },
    { name: 'after the revision was made, before the answer is recorded', diesAt: 'endStep .*create revision' },
    { name: 'before the revision counts as published', diesAt: 'append .*"revisionPublished"' },
    { name: 'before the status is set to review', diesAt: 'append .*"statusWritten".*"review"' },
    { name: 'after the review was posted', diesAt: 'endStep .*post review' },
    { name: 'before the review counts as posted', diesAt: 'append .*"reviewPosted"' },
    { name: 'before the approval counts as written', diesAt: 'append .*"statusWritten".*"approved"' },
  ];

  test.each(scenarios)('$name: the next one ends with the same forge, and nothing twice', async ({ diesAt }) => {
    const forge = createFakeForge();
    forge.approveSpec('docs/specs/a.md', 'blob1');
    const memory = createMemoryJournal();
    const pattern = new RegExp(diesAt);
    let patches = 0;

    async function play(journal: Journal, isOver: () => boolean): Promise<TestEngine> {
      const t = await bench.start({ config: AUTO, forge, journal, runtime: createFakeRuntime() });
      await until('the end of this life', () => {
        for (const run of t.runtime.live()) {
          if (run.params.role === 'planner') run.complete(PLAN);
          else run.complete(run.params.role === 'reviewer' ? reviewed('approve') : implemented(`patch ${++patches}`));
        }
        t.clock.advance(61_000);
        return isOver();
      });
      return t;
    }

    const dying = dyingJournal(memory, (call) => pattern.test(call));
    await play(dying, dying.isDead);
    await settle();
    const isDone = () => [...forge.items.values()].filter((item) => item.status === 'approved').length === 2;
    const second = await play(memory, isDone);
    await settle();

    expect([...forge.items.values()].map(({ title, status }) => [title, status])).toEqual([
      ['one', 'approved'],
      ['two', 'approved'],
    ]);
    expect(forge.revisions.size).toBe(2);
    expect(forge.reviews).toHaveLength(2);
    // A run whose result was stored is never paid for again; both were lost if that was never possible.
    expect(patches).toBe(diesAt.startsWith('saveResult') ? 4 : 2);
    expect(second.engine.getSnapshot().runs).toEqual([]);
    expect((await memory.load()).openCommands).toEqual([]);
  });

  test('a run that was interrupted is recovered and tried again', async () => {
    const forge = createFakeForge();
    forge.addItem({ id: '1', status: 'ready' });
    const journal = createMemoryJournal();
    const first = bench.create({ config: AUTO, forge, journal });
    await first.engine.start();
    await until('a run', () => first.runtime.live().length === 1);
    // The first engine is simply never heard of again.
    const second = await bench.start({ config: AUTO, forge, journal });
    expect(second.events).toContainEqual(
      expect.objectContaining({ type: 'issueStatusChanged', newStatus: 'pending', isRecovery: true }),
    );
    const sessionID = first.runtime.started[0]?.params.sessionID;
    expect(second.runtime.takenOver).toEqual([sessionID]);
    expect(second.events).toContainEqual(
      expect.objectContaining({ type: 'agentFailed', savedRef: `refs/decree/runs/${sessionID}` }),
    );
    second.clock.advance(30_000);
    await until('the second attempt', () => second.runtime.live().length === 1);
    expect(second.runtime.live()[0]?.params).toMatchObject({ workItemID: '1', attempt: 2 });
  });

  test('an item in progress that the journal knows nothing of is recovered at the start', async () => {
    const made = bench.create();
    made.forge.addItem({ id: '1', status: 'in-progress' });
    expect(await made.engine.start()).toEqual({ issueCount: 1, recoveriesPerformed: 1 });
    await settle();
    expect(made.forge.items.get('1')?.status).toBe('ready');
    expect(made.forge.writes).toEqual(['transitionStatus 1 pending', 'transitionStatus 1 ready']);
  });
});

describe('order', () => {
  test('nothing is published or executed before it is durable', async () => {
    const memory = createMemoryJournal();
    const recorded: number[] = [];
    const journal: Journal = {
      ...memory,
      append: async (entry) => {
        await settle();
        await memory.append(entry);
        recorded.push(entry.event.seq);
      },
    };
    const made = bench.create({ config: AUTO, journal });
    made.forge.addItem({ id: '1', status: 'ready' });
    const heard: number[] = [];
    made.engine.on(() => heard.push(recorded.length));
    made.forge.onWrite = () => heard.push(recorded.length);
    await made.engine.start();
    await until('the agent', () => made.runtime.live().length === 1);
    expect(heard.length).toBeGreaterThan(2);
    expect(heard.every((count, index) => count >= 1 && count >= (heard[index - 1] ?? 0))).toBe(true);
  });

  test('a reading that is older than our last write to the item is ignored', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => {
      forge.addItem({ id: '1', status: 'ready' });
      forge.addItem({ id: '2', status: 'approved' });
    });
    const listing = Promise.withResolvers<void>();
    t.forge.onListed = () => listing.promise;
    const refreshed = t.engine.refresh(); // lists the first item as in progress, and the answer takes its time
    t.runtime.live()[0]?.complete(implemented());
    await until('the review', () => t.forge.items.get('1')?.status === 'review');
    await settle();
    listing.resolve();
    await refreshed;
    const heard = t.events.flatMap((e) =>
      e.type === 'issueStatusChanged' && e.issueNumber === 1 ? [e.newStatus] : [],
    );
    expect(heard).toEqual(['ready', 'in-progress', 'review']);
  });

  test('the same events give the same commands, byte for byte', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    t.runtime.live()[0]?.complete(PLAN);
    await settle();
    for (let round = 0; round < 2; round++) {
      for (const run of t.runtime.live()) run.complete(implemented());
      await settle();
      for (const run of t.runtime.live()) run.complete(reviewed('approve'));
      await settle();
    }
    const events = await t.journal.readEvents(0, 10_000);
    expect(events.length).toBeGreaterThan(20);
    let state = emptyState();
    let commandCount = 0;
    for (const event of events) {
      const decision = decide(state, event, settingsFrom(parseConfig({ forge: 'embedded', ...AUTO })), () => null);
      const recorded = await t.journal.readCommands(event.seq);
      expect(JSON.stringify(decision.commands)).toBe(JSON.stringify(recorded));
      commandCount += recorded.length;
      state = decision.after;
    }
    expect(commandCount).toBeGreaterThan(8);
  });

  test('a journal that cannot be written stops the engine, and says so', async () => {
    const dying = dyingJournal(createMemoryJournal(), (call) => call.includes('implementationRequested'));
    const t = await bench.start({ journal: dying }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await until('the message', () => t.log.some(({ message }) => message.includes('written down')));
    expect(t.runtime.started).toEqual([]);
    expect((await t.engine.ended)?.message).toBe('killed');
  });
});

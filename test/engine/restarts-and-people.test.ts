import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/domain/provider-error.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import { atWork, implementedAnd, oneItem, plan, relabel, roles, timePasses } from './acts.ts';
import { createFakeForge } from './fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from './fake-runtime.ts';
import { createManualClock } from './manual-clock.ts';
import { settle } from './until.ts';
import { useEngine } from './use-engine.ts';

const bench = useEngine();
const AUTO = { agents: { dispatch: 'auto' } } as const;

describe('across restarts', () => {
  test("a failing planner's attempts are counted", async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    const clock = createManualClock();
    forge.approveSpec('docs/specs/a.md', 'b1');
    const attempts: number[] = [];
    for (let life = 0; life < 4; life++) {
      const t = await bench.start({ forge, journal, clock, runtime: createFakeRuntime() });
      for (const run of t.runtime.live()) {
        attempts.push(run.params.attempt);
        run.fail('no');
      }
      await settle();
      await t.engine.stop();
    }
    expect(attempts).toEqual([1]);
  });

  test('a reviewer that waited for a slot goes on waiting, and reviews', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    const clock = createManualClock();
    const config = { agents: { dispatch: 'auto', maxConcurrent: 1 } } as const;
    forge.addItem({ id: '1', status: 'ready', priority: 'low' });
    const first = await bench.start({ config, forge, journal, clock });
    for (const id of ['2', '3']) forge.addItem({ id, status: 'ready', priority: 'high' });
    await first.engine.refresh();
    await settle();
    first.runtime.live()[0]?.complete(implemented());
    await settle();
    expect(first.engine.getSnapshot().runs).toContainEqual(
      expect.objectContaining({ status: 'waiting', subject: expect.objectContaining({ role: 'reviewer' }) }),
    );
    await Promise.all([first.engine.stop(), first.engine.stop()]);

    const t = await bench.start({ config, forge, journal, clock, runtime: createFakeRuntime() });
    const isReviewed = () =>
      t.runtime.started.some(({ params }) => params.role === 'reviewer' && params.workItemID === '1');
    for (let turn = 0; turn < 12 && !isReviewed(); turn++) {
      const run = t.runtime.live()[0];
      run?.complete(run.params.role === 'reviewer' ? reviewed('approve') : implemented());
      await timePasses(t, 30_000);
    }
    expect(isReviewed()).toBe(true);
  });

  test('a held item that a person relabelled meanwhile starts', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    forge.addItem({ id: '1', status: 'ready' });
    const first = await bench.start({ config: AUTO, forge, journal });
    first.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    await first.engine.stop();
    forge.addItem({ id: '1', status: 'ready', contentDigest: 'edited' });
    const second = await bench.start({ config: AUTO, forge, journal, runtime: createFakeRuntime() });
    expect(atWork(second)).toEqual(['1']);
  });

  test('what was cancelled before the engine was killed is not started by itself', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    const clock = createManualClock();
    const deaf = createFakeRuntime();
    deaf.adapter.cancelAgent = () => {};
    forge.addItem({ id: '1', status: 'ready' });
    const first = await bench.start({ config: AUTO, forge, journal, clock, runtime: deaf });
    first.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    const second = await bench.start({ config: AUTO, forge, journal, clock, runtime: createFakeRuntime() });
    clock.advance(60_000);
    await settle();
    expect(second.runtime.started).toEqual([]);
    deaf.live()[0]?.fail('the test is over');
  });

  test('no check within two minutes counts, also while no engine was running', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    const clock = createManualClock();
    forge.addItem({ id: '1', status: 'ready' });
    const config = { agents: { dispatch: 'auto' }, review: { trigger: 'ci-success' } } as const;
    const first = await bench.start({ config, forge, journal, clock });
    first.runtime.live()[0]?.complete(implemented());
    await settle();
    await first.engine.stop();
    clock.advance(600_000);
    const second = await bench.start({ config, forge, journal, clock, runtime: createFakeRuntime() });
    clock.advance(1);
    await settle();
    expect(roles(second)).toEqual(['reviewer']);
  });

  test('a draft that its agent finished is not implemented again', async () => {
    const forge = createFakeForge();
    const journal = createMemoryJournal();
    const { createFromPatch } = forge.provider.revisionWriter;
    forge.addItem({ id: '1', status: 'ready' });
    forge.provider.revisionWriter.createFromPatch = async (...args) => {
      const draft = { ...(await createFromPatch(...args)), isDraft: true };
      forge.revisions.set(draft.id, draft);
      return draft;
    };
    const first = await bench.start({ config: AUTO, forge, journal });
    await implementedAnd(first);
    await first.engine.stop();
    const second = await bench.start({ config: AUTO, forge, journal, runtime: createFakeRuntime() });
    expect(roles(second)).toEqual([]);
  });
});

describe('plans', () => {
  test('a policy that refuses one planned item does not stall everything', async () => {
    const policy: Parameters<typeof bench.start>[0] = {
      config: AUTO,
      policy: (command) => (command.type === 'createWorkItem' && command.item.tempID === 'two' ? 'no' : null),
    };
    const t = await bench.start(policy, ({ forge }) => {
      forge.approveSpec('docs/specs/a.md', 'b1');
      forge.addItem({ id: '50', blockedBy: ['51'] });
      forge.addItem({ id: '51', status: 'approved' });
    });
    t.runtime.live()[0]?.complete(plan('one', 'two'));
    await settle();
    t.forge.close('51', 'completed');
    await timePasses(t, 1_000);
    expect(t.forge.items.get('50')?.status).toBe('in-progress');
  });

  test('an item of a plan that was given up waits for the next plan', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'b1'));
    t.forge.onWrite = (call) => {
      if (call === 'createWorkItem two') throw new ProviderError('rejected', '422');
    };
    t.runtime.started[0]?.complete(plan('one', 'two'));
    await settle();
    expect(roles(t)).toEqual(['planner']);
    t.clock.advance(30_000);
    await settle();
    t.runtime.live()[0]?.complete(plan());
    await settle();
    expect(roles(t)).toEqual(['planner', 'planner', 'implementor']);
  });

  test('a retry that falls into the application of a plan is not lost', async () => {
    const t = await bench.start({}, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    t.runtime.live()[0]?.fail('no');
    await settle();
    t.forge.approveSpec('docs/specs/a.md', 'b1');
    await t.engine.refresh();
    await settle();
    const gate = Promise.withResolvers<void>();
    const { createWorkItem } = t.forge.provider.workItemWriter;
    t.forge.provider.workItemWriter.createWorkItem = async (...args) => {
      await gate.promise;
      return createWorkItem(...args);
    };
    t.runtime.live()[0]?.complete(plan('one'));
    await settle();
    t.clock.advance(60_000);
    await settle();
    gate.resolve();
    await settle();
    expect(roles(t)).toEqual(['implementor', 'planner', 'implementor']);
  });
});

describe('people', () => {
  test('a label that is changed while the implementor runs does not keep its work from review', async () => {
    const t = await oneItem(bench);
    await relabel(t, '1', 'pending');
    await implementedAnd(t);
    expect(t.forge.items.get('1')?.status).toBe('review');
    expect(roles(t)).toEqual(['implementor', 'reviewer']);
  });

  test('needs-changes by hand while the reviewer runs is followed', async () => {
    const t = await oneItem(bench);
    await implementedAnd(t);
    await relabel(t, '1', 'needs-changes');
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    await t.engine.refresh();
    await settle();
    expect(roles(t)).toEqual(['implementor', 'reviewer', 'implementor']);
  });

  test('what was pushed after the approval is not merged unreviewed', async () => {
    const t = await oneItem(bench);
    await implementedAnd(t, 'approve');
    const [published] = t.forge.revisions.values();
    if (published === undefined) throw new Error('nothing was published');
    t.forge.revisions.set(published.id, { ...published, headSHA: 'unreviewed' });
    await t.engine.refresh();
    await settle();
    t.engine.send({ command: 'mergeRevision', issueNumber: 1 });
    await settle();
    expect(t.forge.writes).not.toContain(`mergeRevision ${published.id}`);
    expect(t.engine.getSnapshot().notices.join()).toContain('commits that nobody reviewed');
  });

  test('a pause before the next attempt is told of, and can be cancelled', async () => {
    const t = await bench.start({}, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    t.runtime.live()[0]?.fail('no');
    await settle();
    expect(t.engine.getSnapshot().retries).toEqual([{ workItemID: '1', at: t.clock.now() + 30_000 }]);
    t.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    expect(t.engine.getSnapshot().retries).toEqual([]);
    t.clock.advance(60_000);
    await settle();
    expect(t.runtime.started).toHaveLength(1);
    expect(t.engine.getSnapshot().notices).toEqual([]);
  });
});

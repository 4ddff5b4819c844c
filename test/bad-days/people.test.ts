import { describe, expect, test } from 'vitest';
import type { Revision } from '../../src/domain/revision.ts';
import { ProviderError } from '../../src/domain/provider-error.ts';
import type { WorkItem } from '../../src/domain/work-item.ts';
import { atWork, implementedAnd, oneItem, relabel, roles, timePasses } from '../engine/acts.ts';
import type { TestEngine } from '../engine/create-test-engine.ts';
import { implemented, reviewed } from '../engine/fake-runtime.ts';
import { settle } from '../engine/until.ts';
import { useEngine } from '../engine/use-engine.ts';

/** What people do on the forge in the middle of a run: nothing of it is undone, and nothing that was paid for is lost. */
const bench = useEngine();

const pullOf = (t: TestEngine): Revision => {
  const newest = [...t.forge.revisions.values()].at(-1);
  if (newest === undefined) throw new Error('there is no pull request');
  return newest;
};
const itemOf = (t: TestEngine): WorkItem => t.forge.items.get('1') ?? t.forge.addItem({ id: '1' });
const tell = (t: TestEngine): string => t.forge.comments.map(({ body }) => body).join('\n');
const failures = (t: TestEngine) => t.events.flatMap((event) => (event.type === 'agentFailed' ? [event.error] : []));

async function look(t: TestEngine): Promise<void> {
  await t.engine.refresh();
  await settle();
}

async function changePull(t: TestEngine, changes: Partial<Revision>): Promise<void> {
  t.forge.revisions.set(pullOf(t).id, { ...pullOf(t), ...changes });
  await look(t);
}

async function changeItem(t: TestEngine, changes: Partial<WorkItem>): Promise<void> {
  t.forge.items.set('1', { ...itemOf(t), ...changes });
  await look(t);
}

/** An item whose reviewer is at work. */
async function inReview(): Promise<TestEngine> {
  const t = await oneItem(bench);
  await implementedAnd(t);
  expect(roles(t)).toEqual(['implementor', 'reviewer']);
  return t;
}

/** An item whose implementor is at work on what the reviewer found. */
async function inRepair(): Promise<TestEngine> {
  const t = await inReview();
  t.runtime.live()[0]?.complete(reviewed('needs-changes'));
  await settle();
  expect(atWork(t)).toEqual(['1']);
  return t;
}

describe('a pull request', () => {
  test('closed during its review: the verdict is told on the item, and nothing is posted or begun', async () => {
    const t = await inReview();
    await changePull(t, { state: 'closed' });
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    await timePasses(t);
    expect(t.forge.reviews).toEqual([]);
    expect(tell(t)).toMatch(
      /closed while it was reviewed.*\*\*approve\*\*[^]*I say approve[^]*reopen the pull request/,
    );
    expect(itemOf(t).status).toBe('review');
    expect(roles(t)).toHaveLength(2);
  });

  test('reopened after that: whoever asks gets another review', async () => {
    const t = await inReview();
    await changePull(t, { state: 'closed' });
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    await changePull(t, { state: 'open' });
    t.engine.send({ command: 'dispatchReviewer', issueNumber: 1 });
    await settle();
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    expect(itemOf(t).status).toBe('approved');
  });

  test('closed and reopened while it is reviewed: the verdict is posted', async () => {
    const t = await inReview();
    await changePull(t, { state: 'closed' });
    await changePull(t, { state: 'open' });
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    expect(t.forge.reviews).toHaveLength(1);
    expect(itemOf(t).status).toBe('approved');
  });

  test('force-pushed during its review: the verdict is about what is gone, and what is there is reviewed', async () => {
    const t = await inReview();
    await changePull(t, { headSHA: 'rewritten' });
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    expect(t.forge.reviews).toEqual([]);
    expect(t.runtime.live().map(({ params }) => params.role)).toEqual(['reviewer']);
  });

  test.each(['review', 'repair'] as const)(
    'merged during its %s: the agent is ended, the item closed',
    async (when) => {
      const t = when === 'review' ? await inReview() : await inRepair();
      t.forge.merge('1');
      await look(t);
      expect(t.runtime.live()).toEqual([]);
      expect(failures(t)).toEqual(['the work item is closed or no longer tracked']);
      expect(itemOf(t)).toMatchObject({ closedAs: 'completed' });
      await timePasses(t);
      expect(t.runtime.live()).toEqual([]);
    },
  );

  test('closed during its repair: no second one is opened, the result is kept, a person is asked', async () => {
    const t = await inRepair();
    const [run] = t.runtime.live();
    await changePull(t, { state: 'closed' });
    run?.complete(implemented('the repair'));
    await settle();
    await timePasses(t);
    expect([...t.forge.revisions.values()].map(({ state }) => state)).toEqual(['closed']);
    expect(itemOf(t).status).toBe('blocked');
    expect(tell(t)).toContain('could not be published');
    const stored = await t.journal.loadResult(run?.params.sessionID ?? '');
    expect(stored?.result).toMatchObject({ patch: 'the repair' });
    expect(t.runtime.live()).toEqual([]);
  });
});

describe('an issue', () => {
  test.each([
    ['closed', (item: WorkItem) => ({ ...item, closedAs: 'not-planned', isTracked: false }) as const],
    ['without its task label', (item: WorkItem) => ({ ...item, isTracked: false })],
  ] as const)('%s in the middle of a run ends it; when it comes back it goes on', async (_, leave) => {
    const t = await oneItem(bench);
    await changeItem(t, leave(itemOf(t)));
    expect(failures(t)).toEqual(['the work item is closed or no longer tracked']);
    await changeItem(t, { closedAs: null, isTracked: true });
    expect(itemOf(t).status).toBe('in-progress');
    expect(atWork(t)).toEqual(['1']);
    await implementedAnd(t, 'approve');
    expect(itemOf(t).status).toBe('approved');
  });

  test('transferred in the middle of a run is gone: its agent is ended, and nothing is written to it again', async () => {
    const t = await oneItem(bench);
    const before = t.forge.writes.length;
    t.forge.items.delete('1');
    await look(t);
    await timePasses(t);
    expect(failures(t)).toEqual(['the work item is closed or no longer tracked']);
    expect(t.forge.writes).toHaveLength(before);
    expect(t.engine.getSnapshot()).toMatchObject({ workItems: [], runs: [], notices: [] });
  });

  test('transferred while its result is published: the step ends, the rest is given up, the engine lives on', async () => {
    const t = await oneItem(bench);
    t.forge.addItem({ id: '2', status: 'ready' });
    t.forge.onWrite = (call, phase) => {
      if (call === 'createFromPatch 1' && phase === 'after') t.forge.items.delete('1');
    };
    await look(t);
    await implementedAnd(t);
    await look(t);
    await timePasses(t);
    expect(t.forge.writes.filter((call) => call.includes(' 1'))).toEqual([
      'transitionStatus 1 in-progress',
      'createFromPatch 1',
    ]);
    expect(atWork(t)).toEqual(['2']);
  });

  test('edited in the middle of a run, whatever in it, does not disturb the run', async () => {
    const t = await oneItem(bench);
    t.forge.addItem({ id: '9', status: 'needs-refinement' });
    await changeItem(t, { title: 'another', contentDigest: 'another', priority: 'high', blockedBy: ['9'] });
    expect(atWork(t)).toEqual(['1']);
    await implementedAnd(t, 'approve');
    expect(itemOf(t)).toMatchObject({ status: 'approved', title: 'another' });
    expect(roles(t)).toEqual(['implementor', 'reviewer']);
  });

  test('that loses its status label in the middle of a run gets the next one all the same', async () => {
    const t = await oneItem(bench);
    await relabel(t, '1', 'pending');
    expect(atWork(t)).toEqual(['1']);
    await implementedAnd(t);
    await relabel(t, '1', 'pending');
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    expect(t.forge.reviews).toHaveLength(1);
    expect(itemOf(t).status).toBe('approved');
  });
});

describe('a default branch that is renamed while the engine runs', () => {
  test('is said once, holds nothing against anybody, and is forgotten when it is back', async () => {
    const t = await oneItem(bench);
    const { specReader } = t.forge.provider;
    const { readSpecTree } = specReader;
    specReader.readSpecTree = () => Promise.reject(new ProviderError('not-found', "no branch 'main'"));
    await timePasses(t, 60_000);
    expect(t.log.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(t.engine.getSnapshot().notices).toEqual(["specs: no branch 'main'"]);
    expect(atWork(t)).toEqual(['1']);
    specReader.readSpecTree = readSpecTree;
    await look(t);
    expect(t.engine.getSnapshot().notices).toEqual([]);
  });

  test('keeps a run from starting until it is back, without using up its attempts', async () => {
    const t = await bench.start({}, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    let tries = 0;
    t.runtime.onStart = () => {
      if (++tries < 20) throw new ProviderError('unavailable', "no branch 'main'");
    };
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    expect(t.engine.getSnapshot().notices.join()).toContain("no branch 'main'");
    for (let minute = 0; minute < 30; minute++) {
      t.clock.advance(60_000);
      await settle();
    }
    expect(tries).toBe(20);
    expect(t.runtime.live().map(({ params }) => params.attempt)).toEqual([1]);
  });
});

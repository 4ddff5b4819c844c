import { describe, expect, test } from 'vitest';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import { plan, roles } from './acts.ts';
import type { TestEngine } from './create-test-engine.ts';
import { createFakeForge } from './fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from './fake-runtime.ts';
import { createManualClock } from './manual-clock.ts';
import { settle } from './until.ts';
import { useEngine } from './use-engine.ts';

const bench = useEngine();
const ROOM = 7;
const IDS = Array.from({ length: 100 }, (_, n) => String(n + 1));
const MANY = { agents: { maxConcurrent: ROOM }, budget: { perRunUSD: 1, perDayUSD: 10_000 } } as const;

function hundredItems() {
  const forge = createFakeForge();
  for (const id of IDS) forge.addItem({ id, status: 'ready' });
  return forge;
}

function dispatchAll({ engine }: TestEngine): void {
  for (const id of IDS) engine.send({ command: 'dispatchImplementor', issueNumber: Number(id) });
}

function usage(costUSD: number) {
  return { model: null, turns: null, inputTokens: null, outputTokens: null, costUSD, durationMs: 0 };
}

/** Lets time pass in small steps, so that each timer's consequences happen before the next. */
async function minutesPass(t: TestEngine, minutes: number): Promise<void> {
  for (let step = 0; step < minutes * 2; step++) {
    t.clock.advance(30_000);
    await settle();
  }
}

describe('a hundred racing dispatches with room for seven', () => {
  test('start exactly seven; whoever ends makes room for one; each item is done once', async () => {
    const t = await bench.start({ config: MANY, forge: hundredItems() });
    dispatchAll(t);
    dispatchAll(t);
    await settle();
    let most = t.runtime.live().length;
    expect(most).toBe(ROOM);
    while (t.runtime.live().length > 0) {
      const [run] = t.runtime.live();
      run?.complete(run.params.role === 'reviewer' ? reviewed('approve') : implemented());
      await settle();
      most = Math.max(most, t.runtime.live().length);
    }
    expect(most).toBe(ROOM);
    expect(roles(t).filter((role) => role === 'implementor')).toHaveLength(100);
    expect(roles(t).filter((role) => role === 'reviewer')).toHaveLength(100);
    expect([...t.forge.items.values()].every(({ status }) => status === 'approved')).toBe(true);
  });

  test('start exactly seven again after the engine was killed', async () => {
    const forge = hundredItems();
    const journal = createMemoryJournal();
    const first = await bench.start({ config: MANY, forge, journal });
    dispatchAll(first);
    await settle();
    const clock = createManualClock(first.clock.now());
    const second = await bench.start({ config: MANY, forge, journal, clock });
    await settle();
    expect(second.runtime.live()).toHaveLength(ROOM);
    await minutesPass(second, 5);
    expect(second.runtime.live()).toHaveLength(ROOM);
    expect(second.runtime.takenOver).toHaveLength(ROOM);
  });
});

describe('budgets', () => {
  const config = { agents: { dispatch: 'auto', maxConcurrent: 10 }, budget: { perRunUSD: 5, perDayUSD: 20 } } as const;
  const NOTICE = "the day's budget of 20 USD is used up or reserved";

  function sixItems() {
    const forge = createFakeForge();
    for (const id of ['1', '2', '3', '4', '5', '6']) forge.addItem({ id, status: 'ready' });
    return forge;
  }

  test('each run is given its own, and is reserved before it starts; the rest waits and the notices say so', async () => {
    const t = await bench.start({ config, forge: sixItems() });
    expect(t.runtime.live().map(({ params }) => params.budgetUSD)).toEqual([5, 5, 5, 5]);
    expect(t.engine.getSnapshot()).toMatchObject({ spend: { settledUSD: 0, reservedUSD: 20, perDayUSD: 20 } });
    expect(t.engine.getSnapshot().notices).toEqual([`2 runs wait: ${NOTICE}.`]);
  });

  test('what a run did not use is given back; what it used is gone until the next day', async () => {
    const t = await bench.start({ config, forge: sixItems() });
    for (const run of t.runtime.live().slice(0, 2)) run.complete(implemented(), usage(0.5));
    await settle();
    // 1 is spent, 10 are reserved: room for one more.
    expect(t.engine.getSnapshot().spend).toMatchObject({ settledUSD: 1, reservedUSD: 15 });
    for (const run of t.runtime.live()) run.complete(implemented(), usage(6));
    await settle();
    expect(t.engine.getSnapshot().spend).toMatchObject({ settledUSD: 19, reservedUSD: 0 });
    expect(t.engine.getSnapshot().notices.join()).toContain(NOTICE);
    const started = t.runtime.started.length;
    await minutesPass(t, 30);
    expect(t.runtime.started).toHaveLength(started);
    t.clock.advance(24 * 3_600_000);
    await settle();
    expect(t.runtime.live()).toHaveLength(4);
  });

  test('a crash neither forgets what was reserved nor counts it twice', async () => {
    const forge = sixItems();
    const journal = createMemoryJournal();
    const first = await bench.start({ config, forge, journal });
    first.runtime.live()[0]?.complete(implemented(), usage(2));
    await settle();
    expect(first.engine.getSnapshot().spend).toMatchObject({ settledUSD: 2, reservedUSD: 15 });
    // Three agents were at work: nobody knows what they cost, so they count in full.
    const second = await bench.start({ config, forge, journal, clock: createManualClock(first.clock.now()) });
    expect(second.engine.getSnapshot().spend).toMatchObject({ settledUSD: 17, reservedUSD: 0 });
    expect(second.runtime.live()).toEqual([]);
    expect(second.engine.getSnapshot().notices.join()).toContain(NOTICE);
    const third = await bench.start({ config, forge, journal, clock: createManualClock(first.clock.now()) });
    expect(third.engine.getSnapshot().spend).toMatchObject({ settledUSD: 17, reservedUSD: 0 });
  });
});

describe('an agent that always fails', () => {
  const config = { agents: { dispatch: 'auto' } } as const;

  test.each(['in one life', 'with a restart after each attempt', 'with a SIGKILL during each attempt'])(
    'is tried three times with growing pauses, then waits for a human: %s',
    async (how) => {
      const forge = createFakeForge();
      const journal = createMemoryJournal();
      forge.addItem({ id: '1', status: 'ready' });
      const starts: number[] = [];
      let t = await bench.start({ config, forge, journal });
      for (let second = 0; second < 1_200; second++) {
        for (const run of t.runtime.live()) {
          starts.push(t.clock.now());
          expect(run.params.attempt).toBe(starts.length);
          const isKilled = how.includes('SIGKILL');
          if (!isKilled) run.fail('it broke');
          await settle();
          if (how === 'in one life') continue;
          if (!isKilled) await t.engine.stop();
          const clock = createManualClock(t.clock.now());
          t = await bench.start({ config, forge, journal, clock, runtime: createFakeRuntime() });
        }
        t.clock.advance(1_000);
        await settle();
      }
      const pauses = starts.slice(1).map((at, n) => Math.round((at - (starts[n] ?? 0)) / 1_000));
      expect(pauses).toEqual([30, 60]);
      expect(forge.items.get('1')?.status).toBe('blocked');
      expect(forge.comments).toHaveLength(1);
      expect(forge.comments[0]?.body).toContain('failed 3 times and was given up');
      expect(forge.comments[0]?.body).toContain('status:unblocked');
    },
  );
});

test('one planner at a time, however the specs change meanwhile', async () => {
  const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/0.md', 'first'));
  let most = 0;
  for (let change = 1; change <= 20; change++) {
    t.forge.approveSpec(`docs/specs/${change % 3}.md`, `version ${change}`);
    void t.engine.refresh();
    if (change % 5 === 0) t.runtime.live()[0]?.complete(plan());
    if (change % 7 === 0) t.runtime.live()[0]?.fail('no');
    await settle();
    most = Math.max(most, t.runtime.live().length);
  }
  expect(most).toBe(1);
  for (let turn = 0; turn < 5; turn++) {
    t.clock.advance(60_000);
    await settle();
    t.runtime.live()[0]?.complete(plan());
    await settle();
  }
  // Whatever was changed last has been given to a planner, and nothing is planned again.
  const given = Object.assign(
    {},
    ...t.runtime.started.map(({ params }) => ('blobSHAs' in params ? params.blobSHAs : {})),
  );
  expect(given).toEqual(Object.fromEntries([...t.forge.specs.values()].map((spec) => [spec.filePath, spec.blobSHA])));
  expect(t.runtime.live()).toEqual([]);
});

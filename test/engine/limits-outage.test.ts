import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/domain/provider-error.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import type { TestEngine } from './create-test-engine.ts';
import { createFakeForge } from './fake-forge.ts';
import type { FakeForge } from './fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from './fake-runtime.ts';
import { createManualClock } from './manual-clock.ts';
import { settle } from './until.ts';
import { useEngine } from './use-engine.ts';

const bench = useEngine();
const config = { agents: { dispatch: 'auto', maxConcurrent: 3 } } as const;
const HOUR_MS = 3_600_000;
const STEP_MS = 5_000;

interface Outage {
  readonly forge: FakeForge;
  /** What every call rejects with, reads for prompts included; null: all is well. */
  error: ProviderError | null;
  /** Calls that met the outage. */
  calls: number;
}

/** A forge that can go away as a whole. Agents cannot be started without it either: their worktrees come from it. */
function breakable(runtime: TestEngine['runtime']): Outage {
  const forge = createFakeForge();
  const outage: Outage = { forge, error: null, calls: 0 };
  const meet = () => {
    if (outage.error === null) return;
    outage.calls += 1;
    throw outage.error;
  };
  const guard = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      meet();
      return call(...args);
    };
  };
  const { workItemReader, revisionReader, specReader } = forge.provider;
  workItemReader.listWorkItems = guard(workItemReader.listWorkItems);
  workItemReader.getWorkItem = guard(workItemReader.getWorkItem);
  revisionReader.listRevisions = guard(revisionReader.listRevisions);
  revisionReader.getRevision = guard(revisionReader.getRevision);
  specReader.readSpecTree = guard(specReader.readSpecTree);
  specReader.getDefaultHead = guard(specReader.getDefaultHead);
  forge.onWrite = meet;
  runtime.onStart = meet;
  return outage;
}

/** An hour in small steps; returns how many calls each minute saw. */
async function anHourPasses(t: TestEngine, outage: Outage): Promise<number[]> {
  const calls: number[] = [];
  for (let minute = 0; minute < 60; minute++) {
    const before = outage.calls;
    for (let step = 0; step < 60_000 / STEP_MS; step++) {
      t.clock.advance(STEP_MS);
      await settle();
    }
    calls.push(outage.calls - before);
  }
  return calls;
}

async function atWork(prepare: (forge: FakeForge) => void) {
  const runtime = createFakeRuntime();
  const outage = breakable(runtime);
  prepare(outage.forge);
  const t = await bench.start({ config, forge: outage.forge, runtime });
  return { t, outage };
}

function fourItems(forge: FakeForge): void {
  for (const id of ['1', '2', '3', '4']) forge.addItem({ id, status: 'ready' });
}

async function finishAll(t: TestEngine): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    for (const run of t.runtime.live())
      run.complete(run.params.role === 'reviewer' ? reviewed('approve') : implemented());
    t.clock.advance(60_000);
    await settle();
  }
}

function errorsSince(t: TestEngine, start: number): string[] {
  return t.log.slice(start).flatMap(({ level, message }) => (level === 'error' ? [message] : []));
}

describe.each([
  { what: "an hour's outage", error: new ProviderError('unavailable', 'GET / got no answer') },
  { what: 'a suspended installation', error: new ProviderError('unauthorized', 'suspended') },
  { what: 'an app without its permissions', error: new ProviderError('forbidden', 'not accessible') },
])('$what', ({ error }) => {
  test('is ridden out: no attempt is burnt, nothing spins, it is reported once, and then all goes on', async () => {
    const { t, outage } = await atWork(fourItems);
    expect(t.runtime.live()).toHaveLength(3);
    // One has its pull request and waits for its reviewer, two are finished while the forge is away.
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    const logged = t.log.length;
    outage.error = error;
    for (const run of t.runtime.live()) {
      if (run.params.role === 'implementor') run.complete(implemented());
    }
    const [first = 0, ...others] = await anHourPasses(t, outage);
    expect(first).toBeLessThanOrEqual(60);
    expect(Math.max(...others)).toBeLessThanOrEqual(20);
    expect(errorsSince(t, logged).length).toBeLessThanOrEqual(3 + 4); // three pollers, four lanes
    expect(t.engine.getSnapshot().notices.length).toBeLessThanOrEqual(3 + 4);
    expect(t.engine.getSnapshot().notices.join()).toContain(error.message);

    outage.error = null;
    t.clock.advance(300_000);
    await settle();
    expect(t.engine.getSnapshot().notices).toEqual([]);
    await finishAll(t);
    expect([...outage.forge.items.values()].map(({ status }) => status)).toEqual(Array(4).fill('approved'));
    expect(t.events.filter(({ type }) => type === 'agentFailed')).toEqual([]);
    expect(t.runtime.started.map(({ params }) => params.attempt)).toEqual(Array(8).fill(1));
    expect(outage.forge.reviews).toHaveLength(4);
  });

  test('that begins as agents are started costs neither attempts nor money', async () => {
    const { t, outage } = await atWork(() => {});
    outage.forge.onWrite = () => {};
    fourItems(outage.forge);
    const { refresh } = t.engine;
    // The items are marked in progress, and then the forge is away.
    t.runtime.onStart = () => {
      outage.error = error;
      outage.calls += 1;
      throw error;
    };
    await refresh();
    await settle();
    await anHourPasses(t, outage);
    expect(t.runtime.started).toEqual([]);
    expect(t.engine.getSnapshot().spend.settledUSD).toBe(0);
    outage.error = null;
    t.runtime.onStart = () => {};
    t.clock.advance(300_000);
    await settle();
    await finishAll(t);
    expect(t.runtime.started.map(({ params }) => params.attempt)).toEqual(Array(8).fill(1));
    expect([...outage.forge.items.values()].map(({ status }) => status)).toEqual(Array(4).fill('approved'));
  });
});

test.each(['stopped', 'killed'])('an engine that is %s during an outage has lost nothing', async (how) => {
  const forge = createFakeForge();
  const journal = createMemoryJournal();
  fourItems(forge);
  forge.onWrite = (call) => {
    if (call.includes('in-progress')) throw new ProviderError('unavailable', 'away');
  };
  const first = await bench.start({ config, forge, journal });
  for (let minute = 0; minute < 30; minute++) {
    first.clock.advance(60_000);
    await settle();
  }
  if (how === 'stopped') await first.engine.stop();
  forge.onWrite = () => {};
  const clock = createManualClock(first.clock.now());
  const second = await bench.start({ config, forge, journal, clock });
  for (let turn = 0; turn < 4; turn++) {
    clock.advance(15_000);
    await settle();
  }
  expect(second.runtime.live().map(({ params }) => params.attempt)).toEqual([1, 1, 1]);
  expect(second.engine.getSnapshot().spend.settledUSD).toBe(0);
});

test('a person can cancel what waits for the forge', async () => {
  const { t, outage } = await atWork((forge) => forge.addItem({ id: '1', status: 'ready' }));
  outage.forge.onWrite = () => {};
  t.runtime.onStart = () => {
    throw new ProviderError('unavailable', 'away');
  };
  t.runtime.live()[0]?.complete(implemented());
  await settle();
  expect(t.engine.getSnapshot().notices.join()).toContain('startRun of #1 waits: away');
  t.engine.send({ command: 'cancelAgent', issueNumber: 1 });
  await settle();
  t.runtime.onStart = () => {};
  t.clock.advance(HOUR_MS);
  await settle();
  expect(t.runtime.started).toHaveLength(1);
  expect(t.engine.getSnapshot().runs).toEqual([]);
});

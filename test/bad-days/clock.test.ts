import { afterEach, describe, expect, test } from 'vitest';
import { createWakeTimer } from '../../src/engine/event-loop/create-wake-timer.ts';
import { ProviderError } from '../../src/domain/provider-error.ts';
import type { ReviewerStartParams } from '../../src/engine/ports.ts';
import { createSessionAdapter } from '../../src/engine/runtime-adapter/session/create-session-adapter.ts';
import { systemClock } from '../../src/engine/system-clock.ts';
import { createForgeWorld, type ForgeWorld } from '../contracts/provider-forge-world.ts';
import { atWork } from '../engine/acts.ts';
import type { TestEngine } from '../engine/create-test-engine.ts';
import { implemented } from '../engine/fake-runtime.ts';
import { createManualClock, type ManualClock } from '../engine/manual-clock.ts';
import { settle } from '../engine/until.ts';
import { useEngine } from '../engine/use-engine.ts';

/** Somebody sets the clock, time is corrected after the start of a machine, a laptop sleeps. */
const bench = useEngine();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const JUMPS = [
  ['a day forward', DAY],
  ['an hour back', -HOUR],
] as const;

interface JumpingClock extends ManualClock {
  /** Changes the time of day; no time passes. */
  jump(ms: number): void;
}

/** Starts at noon. */
function createJumpingClock(): JumpingClock {
  const steady = createManualClock(Date.UTC(2026, 0, 15, 12));
  let offset = 0;
  return {
    ...steady,
    now: () => steady.now() + offset,
    elapsed: () => steady.now(),
    jump: (ms) => {
      offset += ms;
    },
  };
}

async function pass(t: TestEngine, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 60_000) {
    t.clock.advance(Math.min(60_000, ms - passed));
    await settle();
  }
}

async function countEvents(t: TestEngine): Promise<number> {
  return (await t.journal.load()).lastSeq;
}

describe.each(JUMPS)('a clock that jumps %s', (_, jump) => {
  test('does not keep a failed run from its next attempt, nor start it twice', async () => {
    const clock = createJumpingClock();
    const t = await bench.start({ clock }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    t.runtime.live()[0]?.fail('no');
    await settle();
    clock.jump(jump);
    await pass(t, 60_000);
    expect(t.runtime.started.map(({ params }) => params.attempt)).toEqual([1, 2]);
    await pass(t, 10 * 60_000);
    expect(atWork(t)).toEqual(['1']);
    expect(t.runtime.started).toHaveLength(2);
  });

  test('does not keep a reviewer waiting for checks that never come', async () => {
    const clock = createJumpingClock();
    const config = { agents: { dispatch: 'auto' }, review: { trigger: 'ci-success' } } as const;
    const t = await bench.start({ clock, config }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    clock.jump(jump);
    await pass(t, 2 * 60_000);
    expect(t.runtime.live().map(({ params }) => params.role)).toEqual(['reviewer']);
  });

  test('ends no run, and is not part of how long it took', async () => {
    const clock = createJumpingClock();
    const completion = Promise.withResolvers<unknown>();
    const adapter = createSessionAdapter(
      { maxAgentDuration: 600 },
      { clock, logger: { debug() {}, info() {}, warn() {}, error() {} } },
      {
        open: async () => ({ folder: '/', conflicts: [], extract: async () => null, close: async () => null }),
        takeOver: async () => null,
      },
      {
        assemblePrompt: async () => '',
        launch: async () => ({
          completion: completion.promise,
          usage: () => ({ model: null, turns: null, inputTokens: null, outputTokens: null, costUSD: null }),
          logFilePath: null,
          pid: null,
        }),
      },
    );
    const handle = await adapter.startAgent(PARAMS);
    clock.advance(60_000);
    clock.jump(jump);
    clock.advance(60_000);
    const verdict = { role: 'reviewer', review: { verdict: 'approve', summary: 'Good.', comments: [] } };
    completion.resolve(verdict);
    expect(await handle.result).toEqual(verdict);
    expect((await handle.usage).durationMs).toBe(120_000);
  });

  test('stops no poll and doubles none', async () => {
    const clock = createJumpingClock();
    let looks = 0;
    const t = await bench.start({ clock, config: { issuePoller: { pollInterval: 60 } } }, ({ forge }) => {
      forge.onListed = async () => void looks++;
    });
    clock.jump(jump);
    const before = { looks, events: await countEvents(t) };
    await pass(t, 10 * 60_000);
    expect(looks - before.looks).toBe(10);
    expect(await countEvents(t)).toBe(before.events);
  });
});

const PARAMS: ReviewerStartParams = {
  role: 'reviewer',
  sessionID: 's',
  attempt: 1,
  workItemID: '1',
  revisionID: '2',
  headRef: 'b',
};

describe("the day's budget", () => {
  const config = { agents: { dispatch: 'auto' }, budget: { perRunUSD: 5, perDayUSD: 5 } } as const;

  /** Two items, and money for one, which is spent. */
  async function outOfMoney(clock: JumpingClock): Promise<TestEngine> {
    const t = await bench.start({ clock, config }, ({ forge }) => {
      for (const id of ['1', '2']) forge.addItem({ id, status: 'ready' });
    });
    const [first] = t.runtime.live();
    first?.complete(implemented(), { ...FREE, costUSD: 5 });
    await settle();
    expect(t.runtime.live()).toEqual([]);
    return t;
  }

  test('is a new one within a minute of a jump to the next day', async () => {
    const clock = createJumpingClock();
    const t = await outOfMoney(clock);
    await pass(t, 60_000);
    expect(t.runtime.live()).toEqual([]);
    clock.jump(DAY);
    await pass(t, 60_000);
    expect(t.runtime.live()).not.toEqual([]);
  });

  test('does not spin at midnight when the clock is set back over it, and goes on at the second midnight', async () => {
    const clock = createJumpingClock();
    const t = await outOfMoney(clock);
    clock.jump(-HOUR);
    const events = await countEvents(t);
    await pass(t, 12 * HOUR);
    expect(t.runtime.live()).toEqual([]);
    expect(await countEvents(t)).toBeLessThanOrEqual(events + 2);
    await pass(t, HOUR);
    expect(t.runtime.live()).not.toEqual([]);
  });
});

const FREE = { model: null, turns: null, inputTokens: null, outputTokens: null, costUSD: 0, durationMs: 0 };

test('a timer never fires before its time, however far away that is', () => {
  const clock = createManualClock(0);
  const fired: number[] = [];
  const timer = createWakeTimer(clock, () => void fired.push(clock.now()));
  timer.set({ at: 40 * DAY + 1, body: { type: 'dayBegan' } });
  clock.advance(40 * DAY);
  expect(fired).toEqual([]);
  clock.advance(1);
  expect(fired).toEqual([40 * DAY + 1]);
  expect(clock.nextDue()).toBeNull();
});

test('real durations do not come from the time of day', () => {
  const before = systemClock.elapsed?.() ?? Number.NaN;
  expect(before).toBeLessThan(Date.now() / 2);
  expect(systemClock.elapsed?.()).toBeGreaterThanOrEqual(before);
});

test('a limit that seems to be over, because the clock runs a day ahead, is not asked about again and again', async () => {
  const clock = createJumpingClock();
  const t = await bench.start({ clock }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
  const end = clock.now() + HOUR;
  clock.jump(DAY);
  let asked = 0;
  t.forge.onWrite = (_, phase) => {
    if (phase === 'after' || clock.now() > end + DAY) return;
    asked += 1;
    throw new ProviderError('rate-limited', 'slow down', { until: end });
  };
  t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
  await pass(t, HOUR + 2 * 60_000);
  expect(asked).toBeLessThan(70);
  expect(atWork(t)).toEqual(['1']);
});

describe('a clock that differs from the forge’s', () => {
  let world: ForgeWorld | null = null;
  afterEach(() => world?.close());

  test.each(JUMPS)('by %s does not keep the app from signing in', async (_, jump) => {
    const now = () => Date.now() + jump;
    world = await createForgeWorld({ now });
    const date = () => new Date(now()).toUTCString();
    world.proxy.disturb(() => ({
      kind: 'rewrite',
      rewrite: (good) => ({ ...good, headers: { ...good.headers, date: date() } }),
    }));
    expect(await world.provider().workItemReader.listWorkItems()).toEqual([]);
    // Each of the app's two first requests learns the difference from the answer, and is sent again.
    expect(world.proxy.requests.filter(({ status }) => status === 401)).toHaveLength(2);
  });
});

import { expect, test } from 'vitest';
import { replayEvents } from '../../src/cli/project/replay-events.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import type { Journal } from '../../src/engine/journal-port.ts';
import { JournalError } from '../../src/engine/journal-port.ts';
import { settingsFrom } from '../../src/engine/settings-from-config.ts';
import type { EngineState } from '../../src/engine/state-store/engine-state.ts';
import { emptyState } from '../../src/engine/state-store/engine-state.ts';
import { differingFields, readState } from '../../src/engine/state-store/snapshot-state.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import type { TestEngine } from '../engine/create-test-engine.ts';
import { createFakeForge } from '../engine/fake-forge.ts';
import { createFakeRuntime, implemented, reviewed } from '../engine/fake-runtime.ts';
import { createManualClock } from '../engine/manual-clock.ts';
import { settle, until } from '../engine/until.ts';
import { useEngine } from '../engine/use-engine.ts';
import type { Random } from '../guards/random.ts';
import { createRandom } from '../guards/random.ts';

const bench = useEngine();
const CONFIG = { agents: { dispatch: 'auto', maxConcurrent: 2 } } as const;
const settings = settingsFrom(parseConfig({ forge: 'embedded', ...CONFIG }));

/** As if thousands of events had passed since the last snapshot: each start takes one. Writes nothing once it is dead. */
function mortal(journal: Journal): Journal & { die(): void } {
  let isDead = false;
  function unlessDead<A extends unknown[]>(write: (...args: A) => Promise<void>) {
    return async (...args: A) => {
      if (isDead) throw new JournalError('killed');
      return write(...args);
    };
  }
  return {
    ...journal,
    load: async () => ({ ...(await journal.load()), lastSnapshotSeq: -1_000_000 }),
    append: unlessDead(journal.append),
    appendAll: unlessDead(journal.appendAll),
    beginStep: unlessDead(journal.beginStep),
    endStep: unlessDead(journal.endStep),
    saveResult: unlessDead(journal.saveResult),
    prune: async () => false,
    die: () => {
      isDead = true;
    },
  };
}

test.each([1, 2, 3])(
  'lives that end anywhere are replayed from any snapshot to the same states (seed %d)',
  async (seed) => {
    const random = createRandom(seed);
    const [forge, clock, journal] = [createFakeForge(), createManualClock(), createMemoryJournal()];
    forge.approveSpec('docs/specs/a.md', 'blob1');
    for (let id = 1; id <= 6; id++) forge.addItem({ id: String(id), status: 'ready' });
    for (let life = 0; life < 5; life++) {
      const runtime = createFakeRuntime();
      const own = mortal(journal);
      const t = await bench.start({ config: CONFIG, forge, clock, runtime, journal: own });
      await until('the snapshot', () => t.log.some(({ message }) => message === 'snapshot saved'));
      for (let turn = 0; turn < 4; turn++) await live(t, random);
      if (life % 2 === 1) own.die();
      void t.engine.stop();
      await t.engine.stop();
      forge.addItem({ id: String(10 + life), status: 'ready', blockedBy: [String(1 + life)] });
      if (life === 2) forge.close('2', 'completed');
    }

    const snapshots = await journal.readSnapshots();
    const states = snapshots.flatMap((snapshot) => readState(snapshot) ?? []);
    expect(states.length).toBe(5);
    for (const start of [emptyState(), ...states]) await expectSameAgain(journal, start, states);
  },
);

/** One turn of a life: an agent ends in one of many ways, time passes, the forge is read. */
async function live(t: TestEngine, random: Random): Promise<void> {
  const running = t.runtime.live();
  const run = running[random.below(running.length)];
  if (run !== undefined && random.below(4) === 0) run.fail('no luck');
  else if (run?.params.role === 'planner') run.complete(planOf(random));
  else if (run?.params.role === 'implementor') run.complete(implemented());
  else run?.complete(reviewed(random.below(2) === 0 ? 'approve' : 'needs-changes'));
  await settle();
  if (random.below(2) === 0) t.clock.advance(60_000);
  await t.engine.refresh();
  await settle();
}

function planOf(random: Random) {
  const tempIDs = ['one', 'two', 'three'].slice(0, 1 + random.below(3));
  const create = tempIDs.map((tempID) => ({ tempID, title: tempID, body: 'b', labels: [], blockedBy: [] }));
  return { role: 'planner', create, close: [], update: [] } as const;
}

async function expectSameAgain(journal: Journal, start: EngineState, states: readonly EngineState[]): Promise<void> {
  const events = await journal.readEvents(start.seq, 10_000);
  let checked = 0;
  for (const { seq, decided, after } of replayEvents(start, events, settings)) {
    expect(JSON.stringify(decided)).toBe(JSON.stringify(await journal.readCommands(seq)));
    for (const state of states.filter((each) => each.seq === seq)) {
      expect({ seq, differing: differingFields(after, state) }).toEqual({ seq, differing: [] });
      checked++;
    }
  }
  expect(checked).toBe(states.filter(({ seq }) => seq > start.seq).length);
}

import { expect, test } from 'vitest';
import { createMemoryJournal } from '../journal/create-memory-journal.ts';
import { createManualClock } from '../../test/engine/manual-clock.ts';
import { until } from '../../test/engine/until.ts';
import type { Journal, Retention } from './journal-port.ts';
import { createJournalUpkeep, upkeepDue } from './journal-upkeep.ts';
import type { EngineState } from './state-store/engine-state.ts';
import { emptyState } from './state-store/engine-state.ts';
import { PersistentMap } from './state-store/persistent-map.ts';
import { readState } from './state-store/snapshot-state.ts';

const DAY = 24 * 60 * 60 * 1000;
const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent };
const at = (seq: number): EngineState => ({ ...emptyState(), seq, isOpen: true });

test('every 10,000 events there is a snapshot, and once a day something is pruned', () => {
  const done = { snapshotSeq: 500, prunedAt: 0 };
  expect(upkeepDue(at(10_499), 1, done)).toBeNull();
  expect(upkeepDue(at(10_500), 1, done)).toBe('snapshot');
  expect(upkeepDue(at(501), DAY - 1, done)).toBeNull();
  expect(upkeepDue(at(501), DAY, done)).toBe('prune');
  expect(upkeepDue(at(501), 1, { ...done, prunedAt: null })).toBe('prune');
});

test('nothing is done while starting up or shutting down', () => {
  expect(upkeepDue({ ...at(99_999), isOpen: false }, 1, { snapshotSeq: 0, prunedAt: null })).toBeNull();
});

interface Bench {
  readonly journal: Journal;
  readonly pruned: Retention[];
  readonly upkeep: ReturnType<typeof createJournalUpkeep>;
}

function create(callsToPrune = 1): Bench {
  const journal = createMemoryJournal();
  const pruned: Retention[] = [];
  const prune = async (retention: Retention) => pruned.push(retention) < callsToPrune;
  const clock = createManualClock(100 * DAY);
  const upkeep = createJournalUpkeep({ journal: { ...journal, prune }, clock, logger, lastSnapshotSeq: 0 });
  return { journal, pruned, upkeep };
}

test('a snapshot is the state that was told, whatever comes after; then all that is old is pruned', async () => {
  const { journal, pruned, upkeep } = create(3);
  const spend = PersistentMap.from(Array.from({ length: 2_000 }, (_, n) => [`day ${n}`, n] as const));
  upkeep.note({ ...at(10_000), spend });
  upkeep.note({ ...at(10_001), spend: PersistentMap.empty() });
  await until('all three calls', () => pruned.length === 3);
  const [snapshot, ...others] = await journal.readSnapshots();
  expect(others).toEqual([]);
  const state = snapshot === undefined ? null : readState(snapshot);
  expect([state?.seq, state?.spend.size, state?.spend.get('day 7')]).toEqual([10_000, 2_000, 7]);
  expect(pruned[0]).toEqual({ snapshots: 2, events: 10_000, resultsSince: 70 * DAY });
  upkeep.note(at(10_002));
  await upkeep.stop();
  expect(await journal.readSnapshots()).toHaveLength(1);
});

test('who stops it does not wait for a snapshot that is not written yet', async () => {
  const { journal, pruned, upkeep } = create();
  upkeep.note(at(10_000));
  await upkeep.stop();
  upkeep.note(at(30_000));
  expect(await journal.readSnapshots()).toEqual([]);
  expect(pruned).toEqual([]);
});

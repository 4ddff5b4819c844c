import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FRESH_EFFORT } from '../../domain/effort.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Revision } from '../../domain/revision.ts';
import type { Run } from '../../domain/run.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import { JournalError } from '../journal-port.ts';
import type { EngineState } from './engine-state.ts';
import { emptyState } from './engine-state.ts';
import { PersistentMap } from './persistent-map.ts';
import { SNAPSHOT_VERSION, differingFields, readState, writeState } from './snapshot-state.ts';
import { WaitingLine } from './waiting-line.ts';

function saved(state: EngineState) {
  return { seq: state.seq, version: SNAPSHOT_VERSION, body: [...writeState(state)].join('') };
}

function mapOf<V>(value: fc.Arbitrary<V>, longest = 1_200): fc.Arbitrary<PersistentMap<V>> {
  return fc
    .array(fc.tuple(fc.string({ unit: 'binary' }), value), { maxLength: longest, size: 'max' })
    .map((entries) => PersistentMap.from(entries));
}

const states: fc.Arbitrary<EngineState> = fc
  .record({
    seq: fc.nat(),
    commitSHA: fc.string({ unit: 'binary' }),
    spend: mapOf(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)),
    openCommands: mapOf(fc.string()),
    dependents: mapOf(fc.array(fc.string()), 20),
    efforts: mapOf(fc.record({ reviewRounds: fc.nat(), isHeld: fc.boolean() }), 20).map((map) =>
      PersistentMap.from([...map].map(([id, part]) => [id, { ...FRESH_EFFORT, ...part }])),
    ),
    waiting: fc
      .array(fc.record({ rank: fc.nat(3), at: fc.nat(3), id: fc.uuid() }), { maxLength: 300, size: 'max' })
      .map((places) => WaitingLine.from(places)),
    reservedUSD: fc.double({ min: 0, max: 1e6, noNaN: true }),
    isOpen: fc.boolean(),
  })
  .map((part) => ({ ...emptyState(), ...part }));

test('a state comes back exactly as it was written, whatever is in it', () => {
  fc.assert(
    fc.property(states, (state) => {
      const again = readState(saved(state));
      expect(again === null ? ['nothing'] : differingFields(state, again)).toEqual([]);
      // Order too, since it decides what a handler finds first.
      expect([...(again?.spend ?? [])]).toEqual([...state.spend]);
      expect([...(again?.waiting ?? [])]).toEqual([...state.waiting]);
    }),
    { numRuns: 30 },
  );
});

test('keys with the same hash keep their order', () => {
  // A known collision of FNV-1a with 32 bits.
  const spend = PersistentMap.from([
    ['liquid', 1],
    ['costarring', 2],
    ['altarage', 3],
    ['zinke', 4],
  ]);
  const state = { ...emptyState(), spend };
  expect([...(readState(saved(state))?.spend ?? [])]).toEqual([...spend]);
});

test('every difference is named', () => {
  const state: EngineState = { ...emptyState(), seq: 3, spend: PersistentMap.from([['2026-01-31', 1]]) };
  expect(differingFields(state, state)).toEqual([]);
  const waiting = WaitingLine.from([{ rank: 1, at: 1, id: 's' }]);
  const other = { ...state, spend: state.spend.set('2026-01-31', 2), isOpen: true, waiting };
  expect(differingFields(state, other)).toEqual(['spend', 'waiting', 'isOpen']);
});

test('a snapshot of another version is skipped', () => {
  const snapshot = saved(emptyState());
  expect(readState({ ...snapshot, version: SNAPSHOT_VERSION + 1, body: 'whatever that may be' })).toBeNull();
});

/** One of everything. Whoever adds a field somewhere has to add it here, too. */
function fullState(): EngineState {
  const item: WorkItem = {
    id: '1',
    title: 't',
    status: 'ready',
    priority: null,
    complexity: null,
    blockedBy: [],
    createdAt: '',
    linkedRevision: null,
    closedAs: null,
    isTracked: true,
    contentDigest: '',
  };
  const run: Run = {
    sessionID: 's',
    subject: { role: 'planner', specs: {}, commitSHA: '' },
    attempt: 1,
    rank: 0,
    status: 'running',
    requestedAt: 0,
    startedAt: 0,
    endedAt: null,
    model: null,
    statusBefore: null,
    logFilePath: null,
    reservedUSD: 0,
    usage: null,
    failure: null,
    savedRef: null,
  };
  const pipeline = { status: 'pending', url: null, reason: null, checkCount: 0 } as const;
  const revision: Revision = {
    id: '2',
    title: '',
    url: '',
    headSHA: '',
    headRef: '',
    author: '',
    body: '',
    isDraft: false,
    state: 'open',
    workItemID: null,
    pipeline,
    reviewID: null,
    isMergeable: null,
  };
  const plan: Plan = {
    sessionID: 's',
    specs: {},
    create: [],
    update: [],
    close: [],
    created: {},
    updated: [],
    closed: [],
  };
  return {
    ...emptyState(),
    workItems: PersistentMap.from([['1', item]]),
    revisions: PersistentMap.from([['2', revision]]),
    specs: PersistentMap.from([['a', { filePath: 'a', blobSHA: '', frontmatterStatus: '' }]]),
    runs: PersistentMap.from([['s', run]]),
    plans: PersistentMap.from([['s', plan]]),
    efforts: PersistentMap.from([['1', FRESH_EFFORT]]),
    waiting: WaitingLine.from([{ rank: 0, at: 0, id: 's' }]),
  };
}

test('the version belongs to the shape: whoever changes one must raise the other', () => {
  const shape = [...writeState(fullState())].join('').match(/"\w+":/g) ?? [];
  const digest = createHash('sha256').update(shape.join('')).digest('hex').slice(0, 12);
  expect({ version: SNAPSHOT_VERSION, digest }).toEqual({ version: 1, digest: 'f55df7dcf4a0' });
});

test.each([
  ['text that is no JSON', (body: string) => body.slice(0, -1)],
  ['a field that is missing', (body: string) => body.replace('"spend":[],', '')],
  ['a field that nobody knows', (body: string) => body.replace('{', '{"more":1,')],
  ['a map that is none', (body: string) => body.replace('"spend":[]', '"spend":[["2026-01-31"]]')],
  ['the state of another event', (body: string) => body.replace('"seq":0', '"seq":1')],
])('%s is refused', (_, damage) => {
  const snapshot = saved(emptyState());
  expect(damage(snapshot.body)).not.toBe(snapshot.body);
  expect(() => readState({ ...snapshot, body: damage(snapshot.body) })).toThrow(JournalError);
  expect(() => readState({ ...snapshot, body: damage(snapshot.body) })).toThrow(/snapshot of event 0 cannot be read/);
});

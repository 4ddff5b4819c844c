import { parseConfig } from '../src/config/parse-config.ts';
import type { Event, EventBody } from '../src/domain/event.ts';
import { settledBy } from '../src/domain/event.ts';
import { decide } from '../src/engine/event-loop/create-event-loop.ts';
import { isWakeAffected, nextWake } from '../src/engine/event-loop/next-wake.ts';
import type { JournalEntry } from '../src/engine/journal-port.ts';
import { projectEvent } from '../src/engine/project-event.ts';
import { settingsFrom } from '../src/engine/settings-from-config.ts';
import { changedRows } from '../src/engine/state-store/changed-rows.ts';
import { emptyState } from '../src/engine/state-store/engine-state.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { finding, inTurns } from './harness/measure.ts';
import { at, createDay, morning } from './loop-day.ts';

const SETTINGS = settingsFrom(
  parseConfig({
    forge: 'embedded',
    agents: { dispatch: 'auto', maxConcurrent: 10 },
    budget: { perRunUSD: 0.5, perDayUSD: 1e9 },
    ci: { autoFix: true },
  }),
);

/** All that happens to an event but for the journal: reduce, handle, admit, find changed rows, project, next wake. */
export const loop: Benchmark = {
  name: 'loop',
  asks: 'reducer and handlers, by the number of work items',
  run: async ({ scale }) => {
    const [events, rounds] = scale === 'full' ? [5_000, 15] : [50, 1];
    const sizes = scale === 'full' ? [100, 1_000, 10_000] : [100, 110, 120];
    const [small = 0, medium = 0, large = 0] = sizes;
    const values = await inTurns(rounds, {
      small: createLoop(small, events),
      medium: createLoop(medium, events),
      large: createLoop(large, events),
    });
    const baseline = { name: `${small} items`, values: values.small };
    const wanted = { of: 'ratio', is: 'at least', limit: 0.5 } as const;
    return [
      finding({ what: `${small} items`, unit: 'events/s', ours: values.small }),
      finding({ what: `${medium} items`, unit: 'events/s', ours: values.medium, baseline, wanted }),
      finding({ what: `${large} items`, unit: 'events/s', ours: values.large, baseline, wanted }),
    ];
  },
};

/** Plays so many events at each call and returns how many that would be a second. */
export function createLoop(items: number, events: number, onEntry: (entry: JournalEntry) => void = () => {}) {
  let state = emptyState();
  const day = createDay(items);

  function play(body: EventBody): void {
    const seq = state.seq + 1;
    const event: Event = { seq, at: at(seq), id: idOf(seq), readSeq: null, body };
    const before = state;
    const decision = decide(before, event, SETTINGS, () => null);
    state = decision.after;
    const { commands } = decision;
    onEntry({ event, commands, settles: settledBy(body), rows: changedRows(before, state) });
    projectEvent(event, before, state);
    if (isWakeAffected(event, before, state)) nextWake(state, event.at, SETTINGS);
    day.answer(commands, state);
  }

  for (const body of morning(items)) play(body);
  return (): number => {
    const begin = performance.now();
    for (let count = 0; count < events; count++) play(day.next(state));
    return events / ((performance.now() - begin) / 1000);
  };
}

function idOf(seq: number): string {
  return `${seq.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

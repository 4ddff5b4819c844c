import { parseConfig } from '../src/config/parse-config.ts';
import type { Event, EventBody } from '../src/domain/event.ts';
import type { WorkItem } from '../src/domain/work-item.ts';
import { decide } from '../src/engine/event-loop/create-event-loop.ts';
import { settingsFrom } from '../src/engine/settings-from-config.ts';
import type { EngineState } from '../src/engine/state-store/engine-state.ts';
import { emptyState } from '../src/engine/state-store/engine-state.ts';

export interface LoopBench {
  readonly items: number;
  readonly eventsPerSecond: number;
}

const SETTINGS = settingsFrom(parseConfig({ forge: 'embedded', agents: { dispatch: 'auto', maxConcurrent: 100 } }));
const MEASURED_EVENTS = 20_000;

/** Events a second through reducer, handlers and admission, by the number of tracked items. */
export function benchLoop(sizes: readonly number[] = [100, 1_000, 10_000]): LoopBench[] {
  for (const items of sizes) measure(items, 2_000);
  return sizes.map((items) => ({ items, eventsPerSecond: measure(items, MEASURED_EVENTS) }));
}

function measure(items: number, events: number): number {
  let state = play(emptyState(), { type: 'startupFinished' });
  for (let id = 1; id <= items; id++) state = play(state, { type: 'workItemSeen', item: workItem(id, 'approved') });
  const begin = performance.now();
  for (let turn = 0; turn < events; turn += 2) {
    const id = (turn % items) + 1;
    state = play(state, { type: 'workItemSeen', item: workItem(id, turn % 4 === 0 ? 'needs-refinement' : 'approved') });
    const written = { workItemID: String(id), to: 'approved', cause: 'workflow', settles: null } as const;
    state = play(state, { type: 'statusWritten', ...written });
  }
  return events / ((performance.now() - begin) / 1000);
}

function play(state: EngineState, body: EventBody): EngineState {
  const seq = state.seq + 1;
  const event: Event = { seq, at: seq, id: '00000000-0000-4000-8000-000000000000', readSeq: null, body };
  return decide(state, event, SETTINGS, () => null).after;
}

function workItem(number: number, status: WorkItem['status']): WorkItem {
  return {
    id: String(number),
    title: `item ${number}`,
    status,
    priority: null,
    complexity: null,
    blockedBy: number > 1 ? [String(number - 1)] : [],
    createdAt: '2026-01-01T00:00:00Z',
    linkedRevision: null,
    closedAs: null,
    isTracked: true,
    contentDigest: 'digest',
  };
}

import { expect, test } from 'vitest';
import { parseConfig } from '../../config/parse-config.ts';
import type { Event, EventBody } from '../../domain/event.ts';
import { settingsFrom } from '../../engine/settings-from-config.ts';
import { emptyState } from '../../engine/state-store/engine-state.ts';
import { replayEvents } from './replay-events.ts';
import { sampleWorkItem } from '../../../test/world/sample-work-item.ts';

const settings = settingsFrom(parseConfig({ forge: 'embedded', agents: { dispatch: 'auto' } }));

function record(...bodies: (EventBody & { readonly readSeq?: number })[]): Event[] {
  return bodies.map(({ readSeq = null, ...body }, index) => ({
    seq: index + 1,
    at: 1_000 * index,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    readSeq,
    body,
  }));
}

function seen(id: string): EventBody {
  return { type: 'workItemSeen', item: sampleWorkItem({ id, contentDigest: id }) };
}

/** Which items an implementor was started on, by event. */
function startsOf(events: readonly Event[]): (readonly string[])[] {
  return [...replayEvents(emptyState(), events, settings)].map(({ decided }) =>
    decided.flatMap(({ command }) =>
      command.type === 'startRun' && command.subject.role === 'implementor' ? [command.subject.workItemID] : [],
    ),
  );
}

test('an item that is seen while the engine runs is dispatched at once', () => {
  const events = record(seen('1'), { type: 'startupFinished' }, { ...seen('2'), readSeq: 2 });
  expect(startsOf(events)).toEqual([[], ['1'], ['2']]);
});

test('after a crash the record goes on as a new process did: nothing is dispatched before it has read everything', () => {
  const start = { type: 'engineStarted' } as const;
  const ready = { type: 'startupFinished' } as const;
  const events = record(start, seen('1'), ready, start, seen('2'), seen('1'), ready);
  expect(startsOf(events)).toEqual([[], [], ['1'], [], [], [], ['2']]);
});

test('the same record leads to the same commands every time', () => {
  const events = record(seen('1'), seen('2'), { type: 'startupFinished' });
  expect([...replayEvents(emptyState(), events, settings)]).toEqual([...replayEvents(emptyState(), events, settings)]);
});

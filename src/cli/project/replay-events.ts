import type { AdmittedCommand } from '../../domain/command.ts';
import type { Event } from '../../domain/event.ts';
import { decide } from '../../engine/event-loop/create-event-loop.ts';
import type { WorkflowSettings } from '../../engine/settings.ts';
import type { EngineState } from '../../engine/state-store/engine-state.ts';

export interface ReplayedEvent {
  readonly seq: number;
  readonly decided: readonly AdmittedCommand[];
  readonly after: EngineState;
}

/**
 * What follows from each event of a record, in order; restarts are events like any other. `start` is the state before
 * the first of them. Throws if an event is missing.
 */
export function* replayEvents(
  start: EngineState,
  events: Iterable<Event>,
  settings: WorkflowSettings,
): Generator<ReplayedEvent> {
  let state = start;
  for (const event of events) {
    if (event.seq !== state.seq + 1) {
      throw new Error(`The record has a gap: event ${event.seq} follows on event ${state.seq}.`);
    }
    const { after, commands } = decide(state, event, settings, () => null);
    state = after;
    yield { seq: event.seq, decided: commands, after };
  }
}

import type { AdmittedCommand } from '../../domain/command.ts';
import type { Event } from '../../domain/event.ts';
import { decide } from '../../engine/event-loop/create-event-loop.ts';
import type { WorkflowSettings } from '../../engine/settings.ts';
import { emptyState } from '../../engine/state-store/engine-state.ts';

export interface ReplayedEvent {
  readonly seq: number;
  readonly decided: readonly AdmittedCommand[];
}

/** What follows from each event of a complete record, in order; restarts are events like any other. */
export function* replayEvents(events: readonly Event[], settings: WorkflowSettings): Generator<ReplayedEvent> {
  let state = emptyState();
  for (const event of events) {
    const { after, commands } = decide(state, event, settings, () => null);
    state = after;
    yield { seq: event.seq, decided: commands };
  }
}

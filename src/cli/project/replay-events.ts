import type { AdmittedCommand } from '../../domain/command.ts';
import type { Event } from '../../domain/event.ts';
import { workItemOf } from '../../domain/run.ts';
import { decide } from '../../engine/event-loop/create-event-loop.ts';
import type { WorkflowSettings } from '../../engine/settings.ts';
import type { EngineState } from '../../engine/state-store/engine-state.ts';
import { emptyState } from '../../engine/state-store/engine-state.ts';
import { restoreState } from '../../engine/state-store/restore-state.ts';

export interface ReplayedEvent {
  readonly seq: number;
  readonly decided: readonly AdmittedCommand[];
}

/** What follows from each event of a complete record, in order. */
export function* replayEvents(events: readonly Event[], settings: WorkflowSettings): Generator<ReplayedEvent> {
  const restarts = findRestarts(events);
  let state = emptyState();
  for (const [index, event] of events.entries()) {
    if (restarts.has(index)) state = restarted(state);
    const { after, commands } = decide(state, event, settings, () => null);
    state = after;
    yield { seq: event.seq, decided: commands };
  }
}

/**
 * The places in the record at which a new process began. Everything that it read before it took up its work carries no
 * sequence number of a request; the block of such events before the end of each start-up begins with the start.
 */
function findRestarts(events: readonly Event[]): ReadonlySet<number> {
  const restarts = new Set<number>();
  let previousEnd = -1;
  for (const [end, { body }] of events.entries()) {
    if (body.type !== 'startupFinished') continue;
    let begin = end;
    for (let at = end - 1; at > previousEnd && begin === end; at--) if (isFirstLook(events[at])) begin = at;
    while (begin - 1 > previousEnd && isFirstLook(events[begin - 1])) begin--;
    if (previousEnd !== -1) restarts.add(begin);
    previousEnd = end;
  }
  return restarts;
}

const FIRST_LOOK: ReadonlySet<string> = new Set([
  'workItemSeen',
  'workItemGone',
  'blockerRead',
  'revisionSeen',
  'revisionGone',
  'specsSeen',
  'specsAssumedPlanned',
]);

function isFirstLook(event: Event | undefined): boolean {
  return event !== undefined && event.readSeq === null && FIRST_LOOK.has(event.body.type);
}

/** What a new process knows of the old one's state: the rows that the journal owns. */
function restarted(state: EngineState): EngineState {
  const rows = {
    lastSeq: state.seq,
    runs: [...state.runs.values(), ...[...state.lastRuns.values()].filter((run) => workItemOf(run.subject) !== null)],
    plans: [...state.plans.values()],
    lastPlannedSHAs: [...state.lastPlannedSHAs.entries()],
    efforts: [...state.efforts.entries()],
    spend: [...state.spend.entries()],
  };
  const fresh = restoreState(rows, []);
  return { ...fresh, openCommands: state.openCommands, lanes: state.lanes };
}

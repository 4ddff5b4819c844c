import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Effort } from '../../domain/effort.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Revision } from '../../domain/revision.ts';
import type { Run } from '../../domain/run.ts';
import type { Spec } from '../../domain/spec.ts';
import type { Closure, WorkItem } from '../../domain/work-item.ts';
import type { StateSnapshot } from '../journal-port.ts';
import { JournalError } from '../journal-port.ts';
import type { EngineState } from './engine-state.ts';
import { PersistentMap } from './persistent-map.ts';
import type { Place } from './waiting-line.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * The form of a snapshot's text. To be raised with every change to the shape of the state or of what is in it: a
 * snapshot of another version is skipped, never misread.
 */
export const SNAPSHOT_VERSION = 1;

/**
 * The state as JSON, in pieces of bounded size: put together they are the text of a snapshot. Maps become lists of
 * entries in their own order. The state is a value, so it may be written while the engine goes on.
 */
export function* writeState(state: EngineState): Generator<string> {
  let separator = '{';
  for (const [field, value] of Object.entries(state)) {
    yield `${separator}${JSON.stringify(field)}:`;
    separator = ',';
    if (value instanceof PersistentMap) yield* writeEntries(value);
    else yield JSON.stringify(value);
  }
  yield '}';
}

const ENTRIES_A_PIECE = 500;

function* writeEntries(map: PersistentMap<unknown>): Generator<string> {
  let piece: string[] = [];
  let opening = '[';
  for (const entry of map) {
    piece.push(JSON.stringify(entry));
    if (piece.length < ENTRIES_A_PIECE) continue;
    yield opening + piece.join(',');
    opening = ',';
    piece = [];
  }
  yield `${piece.length > 0 || opening === '[' ? opening + piece.join(',') : ''}]`;
}

/** The state that was written, or null if it is of another version. Throws JournalError if the text is no state. */
export function readState({ seq, version, body }: StateSnapshot): EngineState | null {
  if (version !== SNAPSHOT_VERSION) return null;
  try {
    const written = WrittenState.parse(JSON.parse(body));
    if (written.seq !== seq) throw new Error(`it is the state after event ${written.seq}`);
    return written;
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    const advice = 'Only `decree replay` needs it; the next snapshot takes its place.';
    throw new JournalError(`The snapshot of event ${seq} cannot be read: ${detail}. ${advice}`, {
      cause,
      kind: 'damaged',
    });
  }
}

/** What an entry holds is given by the version; that it is what was written, by the journal's digest. */
function entriesOf<V>() {
  const entry = z.tuple([z.string(), z.custom<V>((value) => value !== undefined)]);
  return z.array(entry).transform((entries) => PersistentMap.from(entries));
}

function lineOf() {
  const place: z.ZodType<Place> = z.strictObject({ rank: z.number(), at: z.number(), id: z.string() });
  return z.array(place).transform((places) => WaitingLine.from(places));
}

const WrittenState: z.ZodType<EngineState> = z.strictObject({
  seq: z.number(),
  workItems: entriesOf<WorkItem>(),
  revisions: entriesOf<Revision>(),
  specs: entriesOf<Spec>(),
  commitSHA: z.string(),
  closures: entriesOf<Closure | 'open'>(),
  runs: entriesOf<Run>(),
  lastRuns: entriesOf<Run>(),
  plans: entriesOf<Plan>(),
  lastPlannedSHAs: entriesOf<string>(),
  efforts: entriesOf<Effort>(),
  spend: entriesOf<number>(),
  openCommands: entriesOf<string>(),
  lanes: entriesOf<number>(),
  lastWrites: entriesOf<number>(),
  currentRuns: entriesOf<string>(),
  dependents: entriesOf<readonly string[]>(),
  revisionsOf: entriesOf<readonly string[]>(),
  leaving: entriesOf<Closure | 'untracked'>(),
  waiting: lineOf(),
  timed: lineOf(),
  slotsUsed: z.number(),
  reservedUSD: z.number(),
  isOpen: z.boolean(),
});

/** What differs between two states, by field. The order of entries in a map means nothing. */
export function differingFields(a: EngineState, b: EngineState): string[] {
  const others: ReadonlyMap<string, unknown> = new Map(Object.entries(b));
  return Object.entries(a).flatMap(([field, value]) => {
    const [one, other] = [comparable(value), comparable(others.get(field))];
    return isDeepStrictEqual(one, other) ? [] : [field];
  });
}

/** As it would come back from the journal: a field that is undefined is no field. */
function comparable(value: unknown): unknown {
  if (!(value instanceof PersistentMap)) return JSON.parse(JSON.stringify(value ?? null));
  const entries: [string, unknown][] = JSON.parse(JSON.stringify([...value]));
  return new Map(entries);
}

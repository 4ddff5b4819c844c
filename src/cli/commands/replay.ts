import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../domain/event.ts';
import { settingsFrom } from '../../engine/settings-from-config.ts';
import type { EngineState } from '../../engine/state-store/engine-state.ts';
import { emptyState } from '../../engine/state-store/engine-state.ts';
import { differingFields, readState } from '../../engine/state-store/snapshot-state.ts';
import type { JournalReader } from '../../journal/create-journal-reader.ts';
import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findProject } from '../project/find-project.ts';
import { withJournal } from '../project/open-journal.ts';
import { replayEvents } from '../project/replay-events.ts';

const PAGE = 1_000;
const MOST_SHOWN = 5;

/**
 * Decides on every event again that the journal still has, from the beginning or from the oldest snapshot, and compares
 * the commands with those that were recorded, and the state with each later snapshot.
 */
export async function replay({ terminal, cwd }: Context): Promise<ExitCode> {
  const { config } = await findProject(cwd);
  return withJournal(cwd, (journal) => {
    const { start, later } = findStart(journal);
    const differing: string[] = [];
    let [events, commands, snapshots] = [0, 0, 0];
    for (const { seq, decided, after } of replayEvents(start, eventsAfter(journal, start.seq), settingsFrom(config))) {
      events++;
      commands += decided.length;
      // As JSON, since that is how the journal keeps them: a field that is undefined is no field.
      const asRecorded: unknown = JSON.parse(JSON.stringify(decided));
      if (!isDeepStrictEqual(asRecorded, journal.commands(seq))) differing.push(String(seq));
      const snapshot = later.get(seq);
      if (snapshot === undefined) continue;
      snapshots++;
      const fields = differingFields(after, snapshot);
      if (fields.length > 0) differing.push(`${seq}, in the state's ${fields.join(', ')}`);
    }
    const from = start.seq === 0 ? '' : ` from the snapshot of event ${start.seq} on`;
    if (differing.length === 0) {
      const states =
        snapshots === 0 ? '' : `, and the same state at ${snapshots} snapshot${snapshots === 1 ? '' : 's'}`;
      terminal.print(`${events} events replayed${from}: the same ${commands} commands${states}.`);
      return EXIT.ok;
    }
    const shown = differing.slice(0, MOST_SHOWN).join('; ');
    terminal.print(
      `${events} events replayed${from}: ${differing.length} led to something else (first: ${shown}).\n` +
        'That is expected if the configuration or the version of decree has changed since then.',
    );
    return EXIT.failed;
  });
}

/** The state to begin with, and those that must be reached on the way. Snapshots of another version are left out. */
function findStart(journal: JournalReader): { start: EngineState; later: ReadonlyMap<number, EngineState> } {
  const states = journal.snapshots().flatMap((snapshot) => readState(snapshot) ?? []);
  const later = new Map(states.map((state) => [state.seq, state]));
  const [first] = journal.events(0, 1);
  if (first === undefined || first.seq === 1) return { start: emptyState(), later };
  const [oldest] = states;
  if (oldest !== undefined) return { start: oldest, later };
  throw new CLIError(
    'The oldest events are no longer in the journal, and there is no snapshot of this version of decree to begin with.',
    'Let it run: there will be one after some thousand events.',
  );
}

function* eventsAfter(journal: JournalReader, seq: number): Generator<Event> {
  for (let page = journal.events(seq, PAGE); page.length > 0; page = journal.events(page.at(-1)?.seq ?? 0, PAGE)) {
    yield* page;
  }
}

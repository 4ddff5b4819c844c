import { isDeepStrictEqual } from 'node:util';
import { settingsFrom } from '../../engine/settings-from-config.ts';
import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findProject } from '../project/find-project.ts';
import { withJournal } from '../project/open-journal.ts';
import { replayEvents } from '../project/replay-events.ts';

const PAGE = 1_000;
const MOST_SHOWN = 5;

/** Decides on every recorded event again and compares the commands with those that were recorded. */
export async function replay({ terminal, cwd }: Context): Promise<ExitCode> {
  const { config } = await findProject(cwd);
  return withJournal(cwd, (journal) => {
    const events = [];
    for (let page = journal.events(0, PAGE); page.length > 0; page = journal.events(page.at(-1)?.seq ?? 0, PAGE)) {
      events.push(...page);
    }
    if (events[0] !== undefined && events[0].seq !== 1) {
      throw new CLIError('The oldest events are no longer in the journal.', 'Only a complete journal can be replayed.');
    }
    const differing: number[] = [];
    let commands = 0;
    for (const { seq, decided } of replayEvents(events, settingsFrom(config))) {
      commands += decided.length;
      // As JSON, since that is how the journal keeps them: a field that is undefined is no field.
      const asRecorded: unknown = JSON.parse(JSON.stringify(decided));
      if (!isDeepStrictEqual(asRecorded, journal.commands(seq))) differing.push(seq);
    }
    if (differing.length === 0) {
      terminal.print(`${events.length} events replayed: the same ${commands} commands.`);
      return EXIT.ok;
    }
    const shown = differing.slice(0, MOST_SHOWN).join(', ');
    terminal.print(
      `${events.length} events replayed: ${differing.length} led to other commands (first: ${shown}).\n` +
        'That is expected if the configuration or the version of decree has changed since then.',
    );
    return EXIT.failed;
  });
}

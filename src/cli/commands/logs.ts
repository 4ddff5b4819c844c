import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Run } from '../../domain/run.ts';
import { isFinished } from '../../domain/run.ts';
import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { askEngine } from '../control/ask-engine.ts';
import { findRoot, placesIn } from '../project/find-project.ts';
import { findRun, withJournal } from '../project/open-journal.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What an agent said: from its transcript, or live from the running engine. */
export async function logs(
  { terminal, cwd }: Context,
  session: string,
  { follow = false }: { readonly follow?: boolean },
): Promise<void> {
  const run = await withJournal(cwd, (journal) => findRun(journal, session));
  const { socket } = placesIn(await findRoot(cwd));
  if (follow && !isFinished(run.status)) return followRun(socket, run, terminal);
  if (run.logFilePath !== null) return printFile(run.logFilePath, terminal);
  if (!isFinished(run.status)) {
    throw new CLIError('This run is still going on and keeps no transcript.', 'Watch it with --follow.');
  }
  throw new CLIError(
    'No transcript of this run was kept.',
    'Set `logging: { agentSessions: true }` in the configuration to keep them from now on.',
  );
}

async function followRun(socket: string, run: Run, { print }: Terminal): Promise<void> {
  for await (const answer of askEngine(socket, { ask: 'output', session: run.sessionID })) {
    if (answer.answer === 'refused') throw new CLIError(answer.text, answer.advice);
    if (answer.answer === 'output') print(plainText(answer.text).replace(/\n$/, ''));
  }
}

async function printFile(file: string, { print }: Terminal): Promise<void> {
  await access(file).catch((cause: unknown) => {
    throw new CLIError(`The transcript ${file} is gone.`, 'Somebody deleted it; the journal still has the run.', {
      cause,
    });
  });
  for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) print(plainText(line));
}

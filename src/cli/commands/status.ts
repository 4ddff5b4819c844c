import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { askOnce } from '../control/ask-engine.ts';
import type { EngineStatus } from '../control/protocol.ts';
import { findRoot, placesIn } from '../project/find-project.ts';
import { formatTable } from '../terminal/format-table.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatAge, formatNextTry, formatUSD } from '../terminal/format-amounts.ts';

/** What the running engine is doing. */
export async function status({ terminal, cwd }: Context, options: { readonly json?: boolean }): Promise<void> {
  const { socket } = placesIn(await findRoot(cwd));
  const answer = await terminal.progress('Asking the engine', askOnce(socket, { ask: 'status' }));
  if (answer.answer === 'refused') throw new CLIError(answer.text, answer.advice);
  if (answer.answer !== 'status') return;
  if (options.json === true) terminal.print(JSON.stringify(answer.status, null, 2));
  else printStatus(answer.status, terminal);
}

function printStatus(status: EngineStatus, { print, style }: Terminal): void {
  const { spend, notices, planningRetryAt } = status;
  const now = Date.now();
  print(`${style('bold', status.repository)}  process ${status.pid}, dispatch ${status.dispatch}`);
  print(
    `today ${formatUSD(spend.settledUSD)} spent, ${formatUSD(spend.reservedUSD)} reserved of ${formatUSD(spend.perDayUSD)}`,
  );
  for (const notice of notices) print(style('yellow', `notice: ${plainText(notice)}`));
  if (planningRetryAt !== null) print(`planning failed, ${formatNextTry(planningRetryAt, now)}`);
  print('');
  if (status.items.length === 0) print('No open work items.');
  else print(itemTable(status, now));
  if (status.runs.length === 0) return;
  print('');
  print(runTable(status, now));
}

function itemTable({ items }: EngineStatus, now: number): string {
  return formatTable(
    ['item', 'status', 'priority', 'pr', 'ci', 'agent', 'title'],
    items
      .toSorted((a, b) => Number(a.number) - Number(b.number))
      .map((item) => [
        `#${item.number}`,
        item.status,
        item.priority ?? '-',
        item.pullRequest === null ? '-' : `#${item.pullRequest}`,
        item.ci ?? '-',
        item.agent ?? (item.retryAt === null ? '-' : formatNextTry(item.retryAt, now)),
        plainText(item.title),
      ]),
  );
}

function runTable({ runs }: EngineStatus, now: number): string {
  return formatTable(
    ['session', 'agent', 'on', 'status', 'for'],
    runs.map((run) => [run.session, run.role, run.subject, run.status, formatAge(now - run.since)]),
  );
}

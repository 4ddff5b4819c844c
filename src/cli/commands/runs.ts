import type { Run } from '../../domain/run.ts';
import { WORK_KEPT_DAYS } from '../../domain/run.ts';
import type { Context } from '../context.ts';
import { subjectOf } from '../control/describe-status.ts';
import { findRun, withJournal } from '../project/open-journal.ts';
import { formatAge, formatUSD } from '../terminal/format-amounts.ts';
import { formatTable } from '../terminal/format-table.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The newest runs, or one in full, from the journal. */
export async function runs(
  { terminal, cwd }: Context,
  session: string | undefined,
  { limit }: { readonly limit: number },
): Promise<void> {
  await withJournal(cwd, (journal) => {
    if (session !== undefined) printRun(findRun(journal, session), terminal);
    else printRuns(journal.runs(limit), terminal);
  });
}

function printRuns(list: readonly Run[], { print }: Terminal): void {
  if (list.length === 0) {
    print('No agent has run yet.');
    return;
  }
  const rows = list.map((run) => [
    run.sessionID.slice(0, 8),
    run.subject.role,
    subjectOf(run),
    String(run.attempt),
    run.status,
    new Date(run.requestedAt).toISOString().slice(0, 16).replace('T', ' '),
    durationOf(run),
    costOf(run),
  ]);
  print(formatTable(['session', 'agent', 'on', 'attempt', 'status', 'begun (UTC)', 'took', 'cost'], rows));
}

function printRun(run: Run, { print, style }: Terminal): void {
  const { subject, usage, failure, savedRef, logFilePath } = run;
  const facts: (readonly [string, string])[] = [
    ['session', run.sessionID],
    ['agent', subject.role],
    ['on', subjectOf(run)],
    ['attempt', String(run.attempt)],
    ['status', run.status],
    ['begun', new Date(run.requestedAt).toISOString()],
    ['took', durationOf(run)],
    ['model', usage?.model ?? run.model ?? '-'],
    ['turns', String(usage?.turns ?? '-')],
    ['tokens', usage === null ? '-' : `${usage.inputTokens ?? '?'} in, ${usage.outputTokens ?? '?'} out`],
    ['cost', costOf(run)],
    ['transcript', logFilePath ?? '-'],
  ];
  for (const [name, value] of facts) print(`${style('dim', name.padEnd(11))} ${value}`);
  if (failure !== null) print(`\nIt did not complete:\n${plainText(failure)}`);
  if (savedRef === null) return;
  print(`\nIts unfinished work is kept for ${WORK_KEPT_DAYS} days. Look at it with:
  git --git-dir=.decree/repo.git log -p -1 ${savedRef}
Take it into your checkout with:
  git fetch .decree/repo.git ${savedRef} && git checkout -b ${branchFor(run)} FETCH_HEAD`);
}

function branchFor({ sessionID }: Run): string {
  return `rescue-${sessionID.slice(0, 8)}`;
}

function durationOf({ startedAt, endedAt }: Run): string {
  if (startedAt === null) return '-';
  return formatAge((endedAt ?? Date.now()) - startedAt);
}

function costOf({ usage }: Run): string {
  const cost = usage?.costUSD ?? null;
  return cost === null ? '-' : formatUSD(cost);
}

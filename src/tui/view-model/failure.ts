import type { Run } from '../../domain/run.ts';
import { formatAge } from './format-amounts.ts';
import type { Facts } from './item-facts.ts';
import type { Line } from './line.ts';
import { span } from './line.ts';
import { UNBLOCK } from './offers.ts';
import { clean, wrap } from './text-cells.ts';
import { nextTry } from './turn-of.ts';

/** How the last run ended, if not well: what happened, the way out, and where its work is kept. */
export function failureLines(facts: Facts, lastRun: Run | null, now: number, width: number): Line[] {
  if (lastRun === null || (lastRun.status !== 'failed' && lastRun.status !== 'cancelled')) return [];
  const { sessionID, savedRef, subject, attempt, endedAt, failure, logFilePath } = lastRun;
  const when = endedAt === null ? '' : ` ${formatAge(now - endedAt)} ago`;
  const isFailed = lastRun.status === 'failed';
  const lines: Line[] = [
    [
      span(isFailed ? '✗ ' : '■ ', isFailed ? 'bad' : 'warn'),
      span(`The ${subject.role} ${isFailed ? 'failed' : 'was cancelled'}`, 'strong'),
      span(`  attempt ${attempt},${when}`, 'dim'),
    ],
    ...labelled('', failure ?? 'It did not say why.', width),
    ...labelled('Way out', wayOut(facts, now), width),
  ];
  if (savedRef !== null) lines.push(...labelled('Work', `kept as ${savedRef}`, width));
  lines.push(...labelled('Look', `decree runs ${sessionID}`, width));
  if (logFilePath !== null) lines.push(...labelled('Log', logFilePath, width));
  return lines;
}

function wayOut(facts: Facts, now: number): string {
  const { item, retryAt } = facts;
  const byItself = retryAt === null ? '' : `decree ${nextTry(retryAt, now)}. `;
  if (item === null) return `${byItself}Change the spec and push it: the count of attempts starts anew.`;
  switch (item.status) {
    case 'blocked':
    case 'needs-refinement':
      return `Nothing more is tried by itself: ${UNBLOCK}`;
    case 'review':
      return `${byItself}The item stays in review. r starts another reviewer now.`;
    default:
      return `${byItself}r tries again now.`;
  }
}

const LABEL = 9;

function labelled(label: string, text: string, width: number): Line[] {
  const pieces = text.split(/\r?\n/).flatMap((line) => wrap(clean(line), width - LABEL - 2));
  return pieces.map((piece, index) => [span(`  ${(index === 0 ? label : '').padEnd(LABEL)}`, 'dim'), span(piece)]);
}

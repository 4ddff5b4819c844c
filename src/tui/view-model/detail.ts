import type { Run } from '../../domain/run.ts';
import type { LoadedDetails } from './item-details.ts';
import { failureLines } from './failure.ts';
import { formatAge, formatDuration, formatUSD } from './format-amounts.ts';
import type { ItemFacts } from './item-facts.ts';
import type { Entry } from './item-list.ts';
import type { Line } from './line.ts';
import { EMPTY_LINE, fitLine, joinLines, span } from './line.ts';
import { markdownLines } from './markdown-lines.ts';
import { pullLines } from './pull-summary.ts';
import { clean, wrap } from './text-cells.ts';

/** What is to be said about one entry, from the top: what it is, what went wrong, its pull request, its description. */
export function detailLines(entry: Entry, details: LoadedDetails, now: number, width: number): Line[] {
  const { facts, turn } = entry;
  if (facts.item === null) return plannerLines(entry, now, width);
  const sections = [
    [...titleLines(facts, width), ...factLines(facts, turn.step, now, width)],
    facts.run === null ? failureLines(facts, facts.lastRun, now, width) : [],
    facts.revision === null ? [] : pullLines(facts.revision, details, width),
    descriptionLines(details, width),
  ];
  return joinSections(sections);
}

function plannerLines({ facts, turn }: Entry, now: number, width: number): Line[] {
  const run = facts.run ?? facts.lastRun;
  const specs = run?.subject.role === 'planner' ? Object.keys(run.subject.specs).map(clean) : [];
  return joinSections([
    [
      [span('Planner', 'strong')],
      [span(turn.symbol, turn.tone), span(` ${turn.step}`)],
      ...(run === null ? [] : [fitLine(runLine(run, now), width)]),
    ],
    facts.run === null ? failureLines(facts, facts.lastRun, now, width) : [],
    [[span('Specs', 'strong')], ...specs.flatMap((path) => indented(path, width))],
  ]);
}

function titleLines({ item }: ItemFacts, width: number): Line[] {
  const number = `#${item.id}  `;
  const [first = '', ...rest] = wrap(clean(item.title), width - number.length);
  return [
    [span(number, 'accent'), span(first, 'strong')],
    ...rest.map((piece) => [span(' '.repeat(number.length)), span(piece, 'strong')]),
  ];
}

function factLines(facts: ItemFacts, step: string, now: number, width: number): Line[] {
  const { item, run, openBlockers } = facts;
  const created = Date.parse(item.createdAt);
  const blockers = openBlockers.map((id) => `#${id}`).join(', ');
  const lines = [
    joinLines([
      [span(item.status, 'accent')],
      item.priority === null ? [] : [span(`${item.priority} priority`)],
      item.complexity === null ? [] : [span(`complexity ${item.complexity}`)],
      Number.isNaN(created) ? [] : [span(`${formatAge(now - created)} old`, 'dim')],
    ]),
    run === null ? [span('next: ', 'dim'), span(step)] : runLine(run, now),
    blockers === '' ? EMPTY_LINE : [span('waits for ', 'dim'), span(blockers)],
  ];
  return lines.filter((line) => line.length > 0).map((line) => fitLine(line, width));
}

function runLine(run: Run, now: number): Line {
  const since = run.startedAt ?? run.requestedAt;
  const end = run.endedAt ?? now;
  const cost = run.usage?.costUSD ?? null;
  return joinLines([
    [span(`${run.subject.role} ${run.status}`, run.status === 'running' ? 'good' : 'plain')],
    [span(formatDuration(end - since), 'dim')],
    run.attempt > 1 ? [span(`attempt ${run.attempt}`, 'dim')] : [],
    run.model === null ? [] : [span(clean(run.model), 'dim')],
    cost === null ? [] : [span(formatUSD(cost), 'dim')],
  ]);
}

function descriptionLines(details: LoadedDetails, width: number): Line[] {
  const heading: Line = [span('Description', 'strong')];
  if (details.state === 'loading') return [heading, [span('  reading it ...', 'dim')]];
  if (details.state === 'failed') {
    return [heading, ...indented(`It could not be read: ${clean(details.message)} (R reads again)`, width)];
  }
  const lines = markdownLines(details.value.body, width - 2);
  if (lines.length === 0) return [heading, [span('  It has none.', 'dim')]];
  return [heading, ...lines.map((line) => (line.length === 0 ? line : [span('  '), ...line]))];
}

function indented(text: string, width: number): Line[] {
  return wrap(text, width - 2).map((piece) => [span(`  ${piece}`)]);
}

function joinSections(sections: readonly Line[][]): Line[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [EMPTY_LINE, ...section]));
}

import type { PipelineResult } from '../../domain/revision.ts';
import { formatAge } from './format-amounts.ts';
import type { Entry, ItemList } from './item-list.ts';
import type { Line, Tone } from './line.ts';
import { EMPTY_LINE, fitLine, span } from './line.ts';
import { clean, truncate } from './text-cells.ts';

export interface ListRow {
  readonly line: Line;
  readonly isSelected: boolean;
}

/** Wide enough to say in words what the next step is. */
const WIDE = 120;
const LONGEST_STEP = 30;

/**
 * What is visible of the list: the selected row in the middle wherever the list is longer than the window. Only
 * these rows are made, so that a thousand items cost no more than twenty. Titles stand last: a character on whose width
 * a terminal disagrees moves nothing else.
 */
export function visibleRows(list: ItemList, selected: number, size: { width: number; height: number }, now: number) {
  const places = placesOf(list);
  const selectedPlace = places.findIndex((place) => place === selected);
  const top = Math.max(Math.min(selectedPlace - Math.floor(size.height / 2), places.length - size.height), 0);
  const columns = columnsOf(list.entries, size.width, now);
  return places.slice(top, top + size.height).map((place): ListRow => {
    if (typeof place === 'string') return { line: headingOf(place, list, size.width), isSelected: false };
    const entry = list.entries[place];
    const isSelected = place === selected;
    if (entry === undefined) return { line: EMPTY_LINE, isSelected: false };
    return { line: rowOf(entry, columns, size.width, isSelected, now), isSelected };
  });
}

type Place = number | 'needs-you' | 'at-work' | 'gap';

/** What stands where: headings, a gap between the sections, and the entries by their index. */
function placesOf({ needsYou, entries }: ItemList): Place[] {
  const indexes = entries.map((_, index) => index);
  return ['needs-you', ...indexes.slice(0, needsYou.length), 'gap', 'at-work', ...indexes.slice(needsYou.length)];
}

function headingOf(place: 'needs-you' | 'at-work' | 'gap', list: ItemList, width: number): Line {
  if (place === 'gap') return EMPTY_LINE;
  const [title, count] =
    place === 'needs-you' ? ['Needs you', list.needsYou.length] : ['Agents at work', list.atWork.length];
  return fitLine([span(` ${title}`, 'strong'), span(`  ${count}`, 'dim')], width);
}

interface Columns {
  readonly id: number;
  readonly status: number;
  readonly time: number;
  readonly revision: number;
  readonly step: number;
}

/** Widths follow the whole list, not the window: columns stand still while it scrolls. */
function columnsOf(entries: readonly Entry[], width: number, now: number): Columns {
  const widest = (textOf: (entry: Entry) => string) => Math.max(0, ...entries.map((entry) => textOf(entry).length));
  const isWide = width >= WIDE;
  return {
    id: widest(idText),
    status: widest(statusText),
    time: isWide ? 0 : widest((entry) => timeText(entry, now)),
    revision: widest((entry) => revisionCell(entry).text),
    step: isWide
      ? Math.min(
          widest(({ turn }) => turn.step),
          LONGEST_STEP,
        )
      : 0,
  };
}

function rowOf(entry: Entry, columns: Columns, width: number, isSelected: boolean, now: number): Line {
  const { facts, turn } = entry;
  const title = facts.item === null ? plannedSpecs(entry) : clean(facts.item.title);
  const priority = priorityCell(entry);
  const revision = revisionCell(entry);
  const cells: Line = [
    span(isSelected ? ' ▸ ' : '   ', 'accent'),
    span(`${turn.symbol} `, turn.tone),
    span(idText(entry).padStart(columns.id), 'dim'),
    span(`  ${statusText(entry).padEnd(columns.status)}`, turn.whose === 'you' ? 'plain' : 'dim'),
    span(columns.time === 0 ? '' : `  ${timeText(entry, now).padStart(columns.time)}`, 'dim'),
    span(`  ${priority.text}`, priority.tone),
    span(columns.revision === 0 ? '' : `  ${revision.text.padEnd(columns.revision)}`, revision.tone),
    span(columns.step === 0 ? '' : `  ${truncate(turn.step, columns.step).padEnd(columns.step)}`, 'dim'),
    span(`  ${title}`, isSelected ? 'strong' : 'plain'),
  ];
  return fitLine(cells, width);
}

function idText({ facts }: Entry): string {
  return facts.item === null ? '-' : `#${facts.item.id}`;
}

function statusText({ facts, turn }: Entry): string {
  if (facts.item !== null) return facts.item.status;
  return turn.whose === 'you' ? 'failed' : 'planning';
}

function timeText({ facts: { run } }: Entry, now: number): string {
  return run?.status === 'running' ? formatAge(now - (run.startedAt ?? run.requestedAt)) : '';
}

function priorityCell({ facts }: Entry): { text: string; tone: Tone } {
  const priority = facts.item?.priority ?? null;
  if (priority === null) return { text: ' ', tone: 'dim' };
  return { text: priority.charAt(0).toUpperCase(), tone: priority === 'high' ? 'strong' : 'dim' };
}

function revisionCell({ facts }: Entry): { text: string; tone: Tone } {
  const revision = facts.item === null ? null : facts.revision;
  if (revision === null) return { text: '', tone: 'dim' };
  const { symbol, tone } = ciSymbol(revision.pipeline);
  return { text: `#${revision.id} ${symbol}`, tone };
}

/** What CI says, in one character: passed, failed, under way, none, unknown. */
function ciSymbol(pipeline: PipelineResult | null): { symbol: string; tone: Tone } {
  if (pipeline === null) return { symbol: '?', tone: 'dim' };
  if (pipeline.status === 'success') return { symbol: '✓', tone: 'good' };
  if (pipeline.status === 'failure') return { symbol: '✗', tone: 'bad' };
  return { symbol: pipeline.checkCount === 0 ? '-' : '…', tone: 'dim' };
}

function plannedSpecs({ facts }: Entry): string {
  const subject = (facts.run ?? facts.lastRun)?.subject;
  const paths = subject?.role === 'planner' ? Object.keys(subject.specs).map(clean) : [];
  return `planner: ${paths.join(', ')}`;
}

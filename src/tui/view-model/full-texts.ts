import { formatNumberOf } from './format-amounts.ts';
import type { Size } from './layout.ts';
import type { Line } from './line.ts';
import { EMPTY_LINE, fitLine, span } from './line.ts';
import { clean, wrap } from './text-cells.ts';

/** The screens that are one text. */

export function startingLines(): Line[] {
  return [EMPTY_LINE, [span('Reading the repository ...', 'strong')]];
}

export function failedLines(reason: string, width: number): Line[] {
  return [
    EMPTY_LINE,
    [span('✗ ', 'bad'), span('decree could not start.', 'strong')],
    EMPTY_LINE,
    ...paragraph(reason, width),
    EMPTY_LINE,
    [span('`decree doctor` looks for the cause. q leaves.', 'dim')],
  ];
}

export function emptyLines(search: string, done: number, width: number): Line[] {
  if (search !== '') {
    return [EMPTY_LINE, ...paragraph(`Nothing is found for "${clean(search)}". Esc ends the search.`, width)];
  }
  const heading: Line =
    done > 0
      ? [span('✓ ', 'good'), span(`All work is done: ${formatNumberOf(done, 'item')} closed.`, 'strong')]
      : [span('No work items yet.', 'strong')];
  return [
    EMPTY_LINE,
    heading,
    EMPTY_LINE,
    ...paragraph('Write a spec, set `status: approved` in its frontmatter and push it to the default branch.', width),
    ...paragraph('The planner turns it into work items, and they appear here.', width),
  ];
}

/** How many paths are named; the rest is counted. */
const NAMED_SPECS = 10;

export function firstRunLines(specPaths: readonly string[], width: number): Line[] {
  const rest = specPaths.length - NAMED_SPECS;
  return [
    EMPTY_LINE,
    [span(`decree is new here and found ${formatNumberOf(specPaths.length, 'approved spec')}:`, 'strong')],
    EMPTY_LINE,
    ...specPaths.slice(0, NAMED_SPECS).map((path) => fitLine([span(`  ${clean(path)}`)], width)),
    ...(rest > 0 ? [[span(`  and ${rest} more`, 'dim')]] : []),
    EMPTY_LINE,
    [span('p', 'accent'), span('  plan them: the planner makes work items of them now')],
    [span('d', 'accent'), span('  they are done: only specs that change from now on are planned')],
  ].map((line) => fitLine(line, width));
}

export function noticeLines(notices: readonly string[], width: number): Line[] {
  const heading: Line = [span('Warnings and notices', 'strong')];
  if (notices.length === 0) return [heading, EMPTY_LINE, [span('None: all is well.', 'dim')]];
  return [
    heading,
    ...notices.flatMap((notice) => {
      const [first = EMPTY_LINE, ...rest] = paragraph(notice, width - 2);
      return [EMPTY_LINE, [span('! ', 'warn'), ...first], ...rest.map((line) => [span('  '), ...line])];
    }),
  ];
}

export function tooSmallLines({ columns }: Size): Line[] {
  return wrap('The window is too small for decree: 40x12 at least.', Math.max(columns, 2)).map((piece) => [
    span(piece),
  ]);
}

function paragraph(text: string, width: number): Line[] {
  return text.split(/\r?\n/).flatMap((line) => wrap(clean(line), width).map((piece): Line => [span(piece)]));
}

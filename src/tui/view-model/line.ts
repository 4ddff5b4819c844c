import { cellsOf, truncate } from './text-cells.ts';

/** What a piece of text means. How that looks is the components' business; none of it is said by colour alone. */
export type Tone = 'plain' | 'dim' | 'strong' | 'accent' | 'good' | 'warn' | 'bad';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One line of the screen. Its text is clean: no line breaks, no control characters. */
export type Line = readonly Span[];

export const EMPTY_LINE: Line = [];

export function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone };
}

export function cellsOfLine(line: Line): number {
  return line.reduce((sum, { text }) => sum + cellsOf(text), 0);
}

export function textOf(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** Cuts a line to a width; what is cut off shows as an ellipsis. */
export function fitLine(line: Line, width: number): Line {
  let left = width;
  const fitted: Span[] = [];
  for (const [index, { text, tone }] of line.entries()) {
    const isLast = index === line.length - 1;
    const cells = cellsOf(text);
    if (cells < left || (cells === left && isLast)) {
      fitted.push({ text, tone });
      left -= cells;
      continue;
    }
    fitted.push({ text: isLast ? truncate(text, left) : truncate(`${text}……`, left), tone });
    break;
  }
  return fitted;
}

/** Cuts or fills a line to exactly a width. */
export function padLine(line: Line, width: number): Line {
  const fitted = fitLine(line, width);
  const missing = width - cellsOfLine(fitted);
  return missing > 0 ? [...fitted, span(' '.repeat(missing))] : fitted;
}

/** Left text and right text on one line. Where both do not fit, the left one gives way, down to half of the line. */
export function spreadLine(left: Line, right: Line, width: number): Line {
  const fittedRight = fitLine(right, Math.max(width - cellsOfLine(left) - 2, Math.floor(width / 2)));
  const rest = width - cellsOfLine(fittedRight);
  return [...padLine(fitLine(left, Math.max(rest - 2, 0)), rest), ...fittedRight];
}

/** Joins pieces with a dim dot between them; empty pieces are left out. */
export function joinLines(pieces: readonly Line[], separator = ' · '): Line {
  return pieces
    .filter((piece) => piece.length > 0)
    .flatMap((piece, index) => (index === 0 ? piece : [span(separator, 'dim'), ...piece]));
}

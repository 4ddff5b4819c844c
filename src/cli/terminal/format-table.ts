import { stripVTControlCharacters } from 'node:util';

export type Row = readonly string[];

/** Columns side by side, two spaces apart. The last column is never padded. Colours do not count as width. */
export function formatTable(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows].map((row) => row.map(oneLine));
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const segmenter = new Intl.Segmenter();
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(stripVTControlCharacters(text))) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Titles come from outside: a line break or an escape sequence in one must not disturb the screen. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n\t]+\s*/g, ' ');
}

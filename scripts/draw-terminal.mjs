const CELL = { width: 8.4, height: 18, size: 14 };
const MARGIN = 14;
const FOREGROUND = '#d6dae2';
const BACKGROUND = '#171a21';
/** The sixteen colours of the picture's terminal. */
const PALETTE = [
  '#171a21', '#e2837e', '#8cc58a', '#e0bd76', '#82a8e0', '#c497d8', '#6ac3cf', '#d6dae2',
  '#6b7280', '#ee9d98', '#a4d9a2', '#efd196', '#a3c2f0', '#d8b3e8', '#8cd8e2', '#ffffff',
]; // prettier-ignore

/** A terminal's visible cells as an SVG picture. */
export function drawTerminal(terminal) {
  const width = terminal.cols * CELL.width + 2 * MARGIN;
  const height = terminal.rows * CELL.height + 2 * MARGIN;
  const rows = Array.from({ length: terminal.rows }, (_, row) => drawRow(terminal, row));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.size}" xml:space="preserve">`,
    ...rows.flat(),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function drawRow(terminal, row) {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row);
  const y = MARGIN + row * CELL.height;
  return runsOf(line, terminal.cols).flatMap(({ text, start, cells, style }) => {
    const x = round(MARGIN + start * CELL.width);
    const width = round(cells * CELL.width);
    const { ink, paper } = style.isInverse
      ? { ink: BACKGROUND, paper: style.color }
      : { ink: style.color, paper: null };
    const shapes =
      paper === null
        ? []
        : [
            `<rect x="${x}" y="${y}" width="${width}" height="${CELL.height}" fill="${paper}" shape-rendering="crispEdges"/>`,
          ];
    if (text.trim() === '') return shapes;
    const weight = style.isBold ? ' font-weight="bold"' : '';
    const opacity = style.isDim ? ' fill-opacity="0.62"' : '';
    const place = `x="${x}" y="${y + CELL.height - 5}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
    return [...shapes, `<text ${place} fill="${ink}"${weight}${opacity}>${escapeXML(text)}</text>`];
  });
}

/** Neighbouring cells that look the same; symbols stand alone, so that no font can move what follows them. */
function runsOf(line, columns) {
  const runs = [];
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const text = cell.getChars() || ' ';
    const style = styleOf(cell);
    const last = runs.at(-1);
    const isPlain = /^[\u0020-\u007e─]$/.test(text);
    if (last !== undefined && last.isPlain && isPlain && JSON.stringify(last.style) === JSON.stringify(style)) {
      last.text += text;
      last.cells += 1;
    } else runs.push({ text, start: column, cells: cell.getWidth(), style, isPlain });
  }
  return runs.flatMap(trimmed);
}

/** Spaces at the ends are place, not text. */
function trimmed(run) {
  if (run.style.isInverse) return [run];
  const text = run.text.trim();
  if (text === '') return [];
  return [{ ...run, text, start: run.start + run.text.indexOf(text), cells: run.isPlain ? text.length : run.cells }];
}

function styleOf(cell) {
  const color = cell.isFgPalette() ? (PALETTE[cell.getFgColor()] ?? FOREGROUND) : FOREGROUND;
  return { color, isBold: cell.isBold() !== 0, isDim: cell.isDim() !== 0, isInverse: cell.isInverse() !== 0 };
}

function escapeXML(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(value) {
  return Math.round(value * 100) / 100;
}

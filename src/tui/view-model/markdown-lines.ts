import type { Line } from './line.ts';
import { EMPTY_LINE, span } from './line.ts';
import { clean, wrap } from './text-cells.ts';

/**
 * A description as lines: headings stand out, quoted code and quotations step back, list items keep their indentation.
 * Comments (decree's own markers among them) and marks of bold text are left out. Everything else stays as it was written.
 */
export function markdownLines(text: string, width: number): Line[] {
  const lines: Line[] = [];
  let fence: string | null = null;
  for (const raw of text.replaceAll(/<!--[\s\S]*?-->/g, '').split(/\r?\n/)) {
    const line = clean(raw).trimEnd();
    const marker: string | null = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? null;
    if (fence !== null || marker !== null) {
      if (marker === null) lines.push(...wrap(line, width - 2).map((piece) => [span(`  ${piece}`, 'dim')]));
      else if (fence === null) fence = marker;
      else if (marker.startsWith(fence)) fence = null;
      continue;
    }
    if (line === '') {
      if (lines.length > 0 && lines.at(-1) !== EMPTY_LINE) lines.push(EMPTY_LINE);
      continue;
    }
    lines.push(...paragraphLines(line.replaceAll(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '$1'), width));
  }
  while (lines.at(-1) === EMPTY_LINE) lines.pop();
  return lines;
}

function paragraphLines(line: string, width: number): Line[] {
  const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
  if (heading !== undefined) return wrap(heading, width).map((piece) => [span(piece, 'strong')]);
  if (line.startsWith('>')) return wrap(line, width).map((piece) => [span(piece, 'dim')]);
  const indent = /^\s*(?:[-*+]|\d+[.)])?\s*/.exec(line)?.[0].length ?? 0;
  const hang = Math.min(indent, Math.floor(width / 2));
  const [head, ...rest] = wrap(line.slice(hang), width - hang);
  const first = `${line.slice(0, hang)}${head ?? ''}`;
  return [first, ...rest.map((piece) => `${' '.repeat(hang)}${piece}`)].map((piece) => [span(piece)]);
}

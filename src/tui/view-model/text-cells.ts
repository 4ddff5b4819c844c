import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

const PRINTABLE_ASCII = /^[\u0020-\u007e]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many cells of a terminal a text takes. The same measure as ink's, so that both agree about every column. */
export function cellsOf(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

/** Cuts a text to a number of cells; what is cut off shows as an ellipsis. Never splits a character. */
export function truncate(text: string, cells: number): string {
  if (cells <= 0) return '';
  if (cellsOf(text) <= cells) return text;
  const [kept] = splitAt(text, cells - 1);
  return `${kept.trimEnd()}…`;
}

/** In cells: a few characters are drawn of three pieces. Narrower lines could not hold them. */
const WIDEST_CHARACTER = 3;

/** Breaks one paragraph into lines of at most so many cells, at spaces where possible. An empty text is one line. */
export function wrap(text: string, cells: number): string[] {
  const width = Math.max(cells, WIDEST_CHARACTER);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<= )(?=[^ ])/)) {
    if (cellsOf(line) + cellsOf(word.trimEnd()) <= width) {
      line += word;
      continue;
    }
    if (line.trim() !== '') lines.push(line.trimEnd());
    line = word;
    while (cellsOf(line.trimEnd()) > width) {
      const [head, tail] = splitAt(line, width);
      if (head === '') break;
      lines.push(head);
      line = tail;
    }
  }
  return [...lines, line.trimEnd()];
}

/**
 * Text from outside as it may stand on the screen: no escape sequences, no control or direction characters. Emoji are
 * taken apart into pieces on whose width all terminals agree.
 */
export function clean(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return stripVTControlCharacters(text)
    .replaceAll('\t', '    ')
    .replaceAll(/\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .replaceAll(/\ufe0e|\ufe0f|\u20e3/gu, '')
    .replaceAll(/(?<=\p{Extended_Pictographic})\p{Emoji_Modifier}/gu, '')
    .replaceAll(/(?<=\p{Extended_Pictographic})\u200d/gu, '')
    .replaceAll(/[\u{1f1e6}-\u{1f1ff}]/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1f1a5));
}

/** What a reader takes for one character each. */
export function charactersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** The longest head that fits into so many cells, and the rest. The head is empty if the first character is too wide. */
function splitAt(text: string, cells: number): readonly [head: string, tail: string] {
  let used = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    used += cellsOf(segment);
    if (used > cells) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ''];
}

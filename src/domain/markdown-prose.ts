/**
 * What a reader sees as prose in a Markdown text, as a list of blocks: without code blocks, code spans and HTML
 * comments. Not a Markdown parser: it knows just enough of the block structure that a stray backtick or fence in one
 * place does not hide text in another.
 */
export function markdownProse(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let open: Region | null = null;
  let isInList = false;

  const endBlock = () => {
    if (block.length > 0) blocks.push(withoutInlineCode(block.join('\n')));
    block = [];
  };

  for (const line of text.split(/\r\n?|\n/)) {
    if (open !== null) {
      const rest: string | null = open.end(line);
      if (rest === null) continue;
      open = null;
      block.push(rest);
      continue;
    }
    if (STARTS_BLOCK.test(line)) endBlock();
    const isAfterBlank = block.every((each) => each.trim() === '');
    if (LIST_ITEM.test(line)) isInList = true;
    else if (isAfterBlank && /^\S/.test(line)) isInList = false;
    // Below a list item, an indented line goes on with the item.
    if (isAfterBlank && !isInList && INDENTED.test(line)) continue;
    open = openRegion(line);
    if (open === null) block.push(line);
    else endBlock();
  }
  endBlock();
  return blocks;
}

/** Blank lines, headings, quotes and list items begin anew; code spans do not reach across. */
const STARTS_BLOCK = /^\s*(?:$|#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s)/;

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
const INDENTED = /^(?: {4}| {0,3}\t)/;

interface Region {
  /** What follows the region's end on this line; null while it goes on. */
  end(line: string): string | null;
}

function openRegion(line: string): Region | null {
  const fence = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  if (fence !== undefined) {
    const closing = new RegExp(`^[\\s>]*${fence[0] ?? ''}{${fence.length},}\\s*$`);
    return { end: (next) => (closing.test(next) ? '' : null) };
  }
  if (/^ {0,3}<!--/.test(line) && !line.includes('-->')) {
    return { end: (next) => (next.includes('-->') ? next.slice(next.indexOf('-->') + 3) : null) };
  }
  return null;
}

/** Drops code spans and comments, whichever begins first; unclosed ones are ordinary text. */
function withoutInlineCode(block: string): string {
  let prose = '';
  let rest = block;
  for (;;) {
    const start = rest.search(/`|<!--/);
    if (start === -1) return prose + rest;
    const mark = /^(?:`+|<!--)/.exec(rest.slice(start))?.[0] ?? '';
    const after = start + mark.length;
    const end = mark === '<!--' ? endOfComment(rest, after) : endOfCode(rest, after, mark.length);
    prose += rest.slice(0, start) + (end === null ? mark : ' ');
    rest = rest.slice(end ?? after);
  }
}

function endOfComment(text: string, from: number): number | null {
  const end = text.indexOf('-->', from);
  return end === -1 ? null : end + 3;
}

function endOfCode(text: string, from: number, length: number): number | null {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    if (run[0].length === length) return runs.lastIndex;
  }
  return null;
}

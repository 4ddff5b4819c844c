import { Readable, Writable } from 'node:stream';
import xterm from '@xterm/headless';
import type { Terminal } from '@xterm/headless';
import { cellsOf } from '../../src/tui/view-model/text-cells.ts';

/** A terminal that knows the widths of today's Unicode, as today's terminals do; xterm's own table ends with version 6. */
export function createTerminal(cols: number, rows: number): Terminal {
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true, convertEol: true, scrollback: 100 });
  terminal.unicode.register({ version: 'today', wcwidth: widthOf, charProperties });
  terminal.unicode.activeVersion = 'today';
  return terminal;
}

/** The visible text, without trailing spaces. */
export function visibleText(terminal: Terminal): string {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: terminal.rows }, (_, row) => {
    return active.getLine(active.viewportY + row)?.translateToString(true) ?? '';
  });
  return lines.map((line) => line.trimEnd()).join('\n');
}

export interface TerminalOutput extends Writable {
  readonly isTTY: true;
  columns: number;
  rows: number;
  readonly written: string[];
}

/** What a program writes to. */
export function createTerminalOutput(terminal: Terminal): TerminalOutput {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      terminal.write(String(chunk));
      done();
    },
  });
  return Object.assign(stream, { isTTY: true as const, columns: terminal.cols, rows: terminal.rows, written });
}

/** What a program reads keys from. */
export function createTerminalInput(): Readable & { isTTY: true } {
  const stream = new Readable({ read: () => {} });
  const methods = { setRawMode: () => stream, ref: () => stream, unref: () => stream };
  return Object.assign(stream, { isTTY: true as const, ...methods });
}

function widthOf(codePoint: number): 0 | 1 | 2 {
  const cells = cellsOf(String.fromCodePoint(codePoint));
  return cells === 0 || cells === 1 ? cells : 2;
}

/** Width in bits 1 and 2; bit 0 says that the character joins the one before it (xterm's own encoding). */
function charProperties(codePoint: number, preceding: number): number {
  const width = widthOf(codePoint);
  const precedingWidth = (preceding >> 1) & 3;
  if (width > 0 || precedingWidth === 0) return width << 1;
  return (precedingWidth << 1) | 1;
}

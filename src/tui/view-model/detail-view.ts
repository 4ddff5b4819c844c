import type { Frame } from './frame.ts';
import { detailLines } from './detail.ts';
import type { Entry } from './item-list.ts';
import type { Pane } from './layout.ts';
import type { Line } from './line.ts';
import { EMPTY_LINE, cellsOfLine, fitLine, span } from './line.ts';
import { windowOf } from './line-window.ts';
import { outputWindow } from './live-output.ts';
import { wrap } from './text-cells.ts';
import type { UIState } from './ui-state.ts';

export interface DetailView {
  readonly lines: readonly Line[];
  /** How far the text and the output can be scrolled. */
  readonly maxDetailScroll: number;
  /** A function, because it takes a look at all that is kept. */
  readonly maxOutputScroll: () => number;
  /** Which of the two the arrow keys move. */
  readonly scrolls: 'text' | 'output';
}

/** The detail pane: the text about an entry above, the live output of its agent below, or only the output. */
export function viewDetail(entry: Entry, ui: UIState, frame: Frame, pane: Pane): DetailView {
  const { width, height } = pane;
  const { run, lastRun, item } = entry.facts;
  const session = run?.sessionID ?? (ui.isOutputOnly ? lastRun?.sessionID : undefined);
  const tail = session === undefined ? undefined : frame.tails.get(session);
  const outputHeight = ui.isOutputOnly ? height : run === null ? 0 : Math.max(Math.floor(height / 2), 4);
  const textHeight = height - outputHeight;

  const details = item === null ? { state: 'loading' as const } : frame.details(item.id);
  const text = textHeight > 0 ? detailLines(entry, details, frame.now, width) : [];
  const maxDetailScroll = Math.max(text.length - textHeight, 0);
  const top = Math.min(ui.detailScroll, maxDetailScroll);
  const visible = windowOf(text, top, textHeight);
  const filler = Array.from({ length: Math.max(textHeight - visible.length, 0) }, () => EMPTY_LINE);

  const bodyHeight = Math.max(outputHeight - 1, 0);
  const output =
    outputHeight === 0 ? [] : [outputHeading(entry, ui, width), ...outputBody(entry, tail, ui, width, bodyHeight)];
  return {
    lines: [...visible, ...filler, ...output],
    maxDetailScroll,
    maxOutputScroll: () => Math.max(screenLines(tail ?? [], width) - bodyHeight, 0),
    scrolls: ui.isOutputOnly ? 'output' : 'text',
  };
}

function screenLines(tail: readonly string[], width: number): number {
  return tail.reduce((sum, line) => sum + wrap(line, width).length, 0);
}

function outputHeading({ facts: { run, item, lastRun } }: Entry, ui: UIState, width: number): Line {
  const role = (run ?? lastRun)?.subject.role;
  const about = item === null ? '' : ` of #${item.id}`;
  const title = run === null ? `Last output${about}` : `Live output${about}`;
  const state = ui.outputScroll > 0 ? 'scrolled back, End follows' : run === null ? 'ended' : 'following';
  const left = [span('── ', 'dim'), span(title, 'strong'), span(role === undefined ? ' ' : ` ${role} `, 'dim')];
  const right = [span(` ${state} ──`, 'dim')];
  const gap = width - cellsOfLine([...left, ...right]);
  return fitLine([...left, span('─'.repeat(Math.max(gap, 0)), 'dim'), ...right], width);
}

function outputBody(
  { facts: { run } }: Entry,
  tail: readonly string[] | undefined,
  ui: UIState,
  width: number,
  height: number,
): Line[] {
  const lines =
    tail === undefined || tail.length === 0
      ? wrap(silenceText(run?.status), width).map((piece): Line => [span(piece, 'dim')])
      : outputWindow(tail, ui.outputScroll, width, height);
  return [...lines.slice(0, height), ...Array.from({ length: Math.max(height - lines.length, 0) }, () => EMPTY_LINE)];
}

function silenceText(status: string | undefined): string {
  if (status === undefined) return 'No agent is at work. Its output appears here as soon as one is.';
  if (status === 'waiting') return 'The agent waits for a slot. Its output appears here as soon as it runs.';
  if (status === 'requested') return 'The agent is being set up. Its output appears here as soon as it runs.';
  return 'The agent has not said anything yet.';
}

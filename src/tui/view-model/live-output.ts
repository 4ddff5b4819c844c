import type { Line } from './line.ts';
import { span } from './line.ts';
import { wrap } from './text-cells.ts';

/**
 * The part of a run's output that is visible: the newest lines, or, scrolled back by some screen lines, older ones.
 * Only what can be visible is wrapped. Scrolling stops at the oldest line that is kept.
 */
export function outputWindow(tail: readonly string[], scrolledBack: number, width: number, height: number): Line[] {
  const wanted = height + scrolledBack;
  const pieces: string[] = [];
  for (let index = tail.length - 1; index >= 0 && pieces.length < wanted; index--) {
    pieces.unshift(...wrap(tail[index] ?? '', width));
  }
  const end = pieces.length - Math.max(Math.min(scrolledBack, pieces.length - height), 0);
  return pieces.slice(Math.max(end - height, 0), end).map((piece) => [span(piece, toneOf(piece))]);
}

/** A time stamp, a tool call or a rule steps back behind what the agent says. */
function toneOf(piece: string): 'dim' | 'plain' {
  return /^\s*(?:\[|===)/.test(piece) ? 'dim' : 'plain';
}

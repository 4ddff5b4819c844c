import type { Engine } from '../../engine/engine-types.ts';
import type { Tails } from '../view-model/frame.ts';
import { clean } from '../view-model/text-cells.ts';

/** How much of each run's output is at hand. */
const KEPT_LINES = 1000;
const LONGEST_LINE = 4000;
/** Runs that ended keep theirs for a while: one wants to read how it ended. */
const KEPT_TAILS = 30;

/**
 * The newest lines of every run's output. `follow` may name sessions that have no stream yet: call it again and it tries
 * again, until there is one.
 */
export interface StreamTails {
  follow(sessionIDs: readonly string[]): void;
  /** Cleaned lines, oldest first. The same arrays as before for tails that did not change. */
  read(): Tails;
  stop(): void;
}

interface Tail {
  lines: string[];
  /** What came after the last line break. */
  rest: string;
  shown: readonly string[] | null;
}

export function createStreamTails(engine: Pick<Engine, 'getAgentStream'>, onChange: () => void): StreamTails {
  const tails = new Map<string, Tail>();
  let isStopped = false;

  async function consume(sessionID: string, stream: AsyncIterable<string>): Promise<void> {
    const tail: Tail = { lines: [], rest: '', shown: null };
    tails.set(sessionID, tail);
    for (const oldest of tails.keys()) if (tails.size > KEPT_TAILS) tails.delete(oldest);
    try {
      for await (const chunk of stream) {
        if (isStopped) return;
        append(tail, chunk);
        onChange();
      }
    } catch (error) {
      append(tail, `\n(The output broke off: ${error instanceof Error ? error.message : String(error)})\n`);
      onChange();
    }
  }

  return {
    follow: (sessionIDs) => {
      for (const sessionID of sessionIDs) {
        const stream = tails.has(sessionID) ? null : engine.getAgentStream(sessionID);
        if (stream !== null) void consume(sessionID, stream);
      }
    },
    read: () => new Map([...tails].map(([sessionID, tail]) => [sessionID, (tail.shown ??= linesOf(tail))])),
    stop: () => {
      isStopped = true;
    },
  };
}

function append(tail: Tail, chunk: string): void {
  const pieces = `${tail.rest}${chunk}`.split(/\r?\n/);
  const rest = pieces.pop() ?? '';
  for (const piece of pieces) tail.lines.push(clean(piece.slice(0, LONGEST_LINE)));
  tail.rest = rest;
  if (rest.length > LONGEST_LINE) {
    tail.lines.push(clean(rest));
    tail.rest = '';
  }
  if (tail.lines.length > KEPT_LINES * 2) tail.lines = tail.lines.slice(-KEPT_LINES);
  tail.shown = null;
}

function linesOf({ lines, rest }: Tail): readonly string[] {
  const kept = lines.slice(-KEPT_LINES);
  return rest === '' ? kept : [...kept, clean(rest)];
}

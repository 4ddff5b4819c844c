import type { EngineSnapshot } from '../../engine/engine-types.ts';
import { formatCount, formatUSD } from './format-amounts.ts';
import type { Line, Tone } from './line.ts';
import { fitLine, joinLines, span, spreadLine } from './line.ts';
import { clean } from './text-cells.ts';

export interface HeaderInput {
  readonly repository: string;
  readonly snapshot: EngineSnapshot;
  /** What a person should know, the most important first. */
  readonly notices: readonly string[];
  readonly needsYou: number;
  /** How many items were closed since the screen was opened. */
  readonly done: number;
}

/** Two lines, and a third if there is something that a person should know. */
export function headerLines(input: HeaderInput, width: number): Line[] {
  const { snapshot, repository, notices } = input;
  const inner = width - 2;
  const first = spreadLine(
    [span('decree  ', 'strong'), span(clean(repository), 'accent')],
    agentsLine(snapshot),
    inner,
  );
  const second = spreadLine(moneyLine(snapshot), countsLine(input), inner);
  const lines = [first, second];
  const [notice] = notices;
  if (notice !== undefined) {
    const more = notices.length > 1 ? ` (${notices.length} in all, w shows them)` : '';
    lines.push(spreadLine([span('! ', 'warn'), span(clean(notice))], more === '' ? [] : [span(more, 'dim')], inner));
  }
  return lines.map((line) => [span(' '), ...fitLine(line, inner)]);
}

function agentsLine({ runs }: EngineSnapshot): Line {
  const planner = runs.find(({ subject }) => subject.role === 'planner');
  const others = runs.filter((run) => run !== planner);
  const waiting = others.filter(({ status }) => status === 'waiting').length;
  const running = others.length - waiting;
  return joinLines([
    planner === undefined
      ? [span('planner idle', 'dim')]
      : [span(planner.status === 'waiting' ? 'planner waiting' : 'planner at work', 'good')],
    [span(`${running} running`, running > 0 ? 'good' : 'dim')],
    [span(`${waiting} waiting`, waiting > 0 ? 'plain' : 'dim')],
  ]);
}

/** Below this part of a limit, it is a thing to look at. */
const SCARCE = 0.1;

function moneyLine({ spend, rateLimit }: EngineSnapshot): Line {
  const left = spend.perDayUSD - spend.settledUSD - spend.reservedUSD;
  const spendTone: Tone = left <= spend.perDayUSD * SCARCE ? 'warn' : 'dim';
  const reserved = spend.reservedUSD > 0 ? ` + ${formatUSD(spend.reservedUSD)} reserved` : '';
  const spent = `${formatUSD(spend.settledUSD)}${reserved} of ${formatUSD(spend.perDayUSD)} today`;
  if (rateLimit === null) return [span(spent, spendTone)];
  const rateTone: Tone = rateLimit.remaining <= rateLimit.limit * SCARCE ? 'warn' : 'dim';
  const rate = `API ${formatCount(rateLimit.remaining)} of ${formatCount(rateLimit.limit)} left`;
  return joinLines([[span(spent, spendTone)], [span(rate, rateTone)]]);
}

function countsLine({ needsYou, done }: HeaderInput): Line {
  return joinLines([
    done > 0 ? [span(`${formatCount(done)} done`, 'good')] : [],
    needsYou > 0
      ? [span(`${formatCount(needsYou)} ${needsYou === 1 ? 'needs' : 'need'} you`)]
      : [span('nothing needs you', 'dim')],
  ]);
}

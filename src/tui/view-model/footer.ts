import { formatNumberOf } from './format-amounts.ts';
import type { Frame } from './frame.ts';
import type { Entry, ItemList } from './item-list.ts';
import type { Intent } from './keys.ts';
import { KEY_BINDINGS } from './keys.ts';
import type { Layout } from './layout.ts';
import type { Line } from './line.ts';
import { cellsOfLine, fitLine, joinLines, span, spreadLine, textOf } from './line.ts';
import { ACTIONS, isOffered } from './offers.ts';
import { clean, wrap } from './text-cells.ts';
import type { UIState } from './ui-state.ts';

export interface FooterInput {
  readonly ui: UIState;
  readonly frame: Frame;
  readonly list: ItemList;
  readonly selected: number;
  readonly shown: Entry | null;
  readonly mode: Layout['mode'];
}

/** Two lines: what decree has to say, and the keys that make sense now. */
export function footerLines(input: FooterInput, width: number): Line[] {
  const inner = width - 2;
  const place = input.ui.overlay === null ? placeOf(input) : [];
  const said = saying(input);
  const isLong = input.ui.message !== null && cellsOfLine(said) + cellsOfLine(place) + 2 > inner;
  // A message may be a link that is to be copied by hand: rather no keys than half a link.
  const lines: Line[] = isLong
    ? wrap(textOf(said), inner).map((piece) => [span(piece)])
    : [spreadLine(said, place, inner), keyLine(input, inner)];
  return lines.slice(0, 2).map((line) => [span(' '), ...fitLine(line, inner)]);
}

function saying({ ui, frame, list }: FooterInput): Line {
  const { phase, question, message } = ui;
  const agents = frame.snapshot.runs.filter(({ status }) => status !== 'waiting').length;
  if (phase.name === 'stopping-at-once') return [span('Stopping at once ...', 'strong')];
  if (phase.name === 'stopping') {
    if (agents === 0) return [span('Stopping ...', 'strong')];
    const waiting = `Waiting for ${formatNumberOf(agents, 'agent')} to finish. `;
    return [span(waiting, 'strong'), span('Ctrl-C again stops at once; the work is taken up at the next start.')];
  }
  if (question?.about === 'quit') {
    const atWork = agents === 0 ? 'No agent is at work.' : `${formatNumberOf(agents, 'agent')} at work may finish.`;
    return [span('Quit decree? ', 'strong'), span(atWork)];
  }
  if (question !== null) return [span(question.text, 'strong')];
  if (ui.isSearching) return [span('/', 'accent'), span(`${clean(ui.search)}▏`), span(foundText(list), 'dim')];
  if (message !== null) return [span(message)];
  if (ui.search !== '')
    return [span('/', 'accent'), span(clean(ui.search)), span(`${foundText(list)}, Esc ends it`, 'dim')];
  if (phase.name === 'starting' && ui.firstRunSpecs === null) return [span('Reading the repository ...', 'dim')];
  return [span(frame.activity, 'dim')];
}

function foundText(list: ItemList): string {
  return `   ${list.entries.length} of ${list.total} found`;
}

function placeOf({ list, selected }: FooterInput): Line {
  return list.entries.length === 0 ? [] : [span(`${selected + 1}/${list.entries.length}`, 'dim')];
}

/** The keys of the moment, as many as fit, and at the right end the two that always help. */
function keyLine(input: FooterInput, width: number): Line {
  const always = isAtRest(input.ui) ? joinLines(ALWAYS.map(keySpans), '  ') : [];
  const shown: Line[] = [];
  for (const pair of keyPairs(input)) {
    const next = keySpans(pair);
    if (cellsOfLine(joinLines([...shown, next, always], '  ')) > width) break;
    shown.push(next);
  }
  return spreadLine(joinLines(shown, '  '), always, width);
}

function keySpans([key, meaning]: KeyPair): Line {
  return [span(key, 'accent'), span(` ${meaning}`, 'dim')];
}

/** Nothing on the screen waits for an answer. */
function isAtRest({ phase, question, firstRunSpecs, isSearching, overlay }: UIState): boolean {
  const isQuiet = question === null && firstRunSpecs === null && !isSearching && overlay === null;
  return isQuiet && (phase.name === 'starting' || phase.name === 'running');
}

type KeyPair = readonly [key: string, meaning: string];

const NOTHING_SHOWN: readonly KeyPair[] = [
  ['/', 'search'],
  ['R', 'refresh'],
  ['w', 'notices'],
];

const ALWAYS: readonly KeyPair[] = [
  ['?', 'help'],
  ['q', 'quit'],
];

function keyPairs({ ui, shown, mode }: FooterInput): readonly KeyPair[] {
  const { phase } = ui;
  if (phase.name === 'stopping') return [['Ctrl-C', 'stop at once']];
  if (phase.name === 'stopping-at-once') return [['Ctrl-C', 'leave without waiting']];
  if (phase.name === 'failed') return [['q', 'leave']];
  if (ui.question?.about === 'quit')
    return [
      ['y', 'quit'],
      ['n', 'stay'],
      ['Ctrl-C', 'stop at once'],
    ];
  if (ui.question !== null)
    return [
      ['y', 'yes'],
      ['n', 'no'],
    ];
  if (ui.firstRunSpecs !== null)
    return [
      ['p', 'plan them'],
      ['d', 'take them as done'],
      ['q', 'quit'],
    ];
  if (ui.isSearching)
    return [
      ['Enter', 'keep'],
      ['Esc', 'end the search'],
      ['↑↓', 'move'],
    ];
  if (ui.overlay !== null)
    return [
      ['Esc', 'back'],
      ['↑↓', 'scroll'],
    ];
  if (shown === null) return NOTHING_SHOWN;
  const isInDetail = ui.focus === 'detail';
  const offered = ACTIONS.filter((action) => isOffered(action, shown.facts));
  return [
    isInDetail ? ['Esc', 'list'] : ['Enter', mode === 'single' ? 'details' : 'scroll details'],
    ...offered.map((action): KeyPair => [keyFor(action), action]),
    ['/', 'search'],
    ...(shown.facts.run === null ? [] : [['s', 'output'] as const]),
    ['o', 'open'],
    ['c', 'copy'],
    ['p', ui.pinnedKey === null ? 'pin' : 'unpin'],
    ['R', 'refresh'],
  ];
}

function keyFor(intent: Intent): string {
  return KEY_BINDINGS.find((binding) => binding.intent === intent)?.keys[0] ?? '';
}

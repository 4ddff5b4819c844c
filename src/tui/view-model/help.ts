import { KEY_BINDINGS } from './keys.ts';
import type { KeyBinding } from './keys.ts';
import type { Line } from './line.ts';
import { EMPTY_LINE, fitLine, padLine, span } from './line.ts';

const GROUPS: readonly (readonly KeyBinding['group'][])[] = [
  ['Move', 'decree'],
  ['Act on an item', 'Look'],
];

const SYMBOLS: readonly (readonly [symbol: string, meaning: string])[] = [
  ['●', 'agent at work'],
  ['◐', 'being set up'],
  ['○', 'waits for a slot'],
  ['·', 'waits for others'],
  ['↻', 'tries again'],
  ['→', 'can go on'],
  ['↩', 'wants changes'],
  ['✓', 'approved, CI green'],
  ['✗', 'failed, CI red'],
  ['…', 'CI under way'],
  ['?', 'a question'],
  ['!', 'stuck'],
  ['■', 'cancelled'],
];

const TWO_COLUMNS = 72;

/** Every key and every symbol. Two columns where there is room. */
export function helpLines(width: number): Line[] {
  const columns = GROUPS.map((groups) => {
    const bindings = KEY_BINDINGS.filter(({ group }) => groups.includes(group));
    const keyWidth = Math.max(...bindings.map(({ keys }) => keys.join(' ').length));
    return groups.flatMap((group) => [...groupLines(group, keyWidth), EMPTY_LINE]);
  });
  const symbols = symbolLines(width);
  if (width < TWO_COLUMNS) return [...columns.flat(), ...symbols].map((line) => fitLine(line, width));
  const half = Math.min(Math.floor(width / 2) + 3, 44);
  const [left = [], right = []] = columns;
  const height = Math.max(left.length, right.length);
  const rows = Array.from({ length: height }, (_, row): Line => [
    ...padLine(left[row] ?? EMPTY_LINE, half),
    ...fitLine(right[row] ?? EMPTY_LINE, width - half),
  ]);
  return [...rows, ...symbols].map((line) => fitLine(line, width));
}

function groupLines(group: KeyBinding['group'], keyWidth: number): Line[] {
  const bindings = KEY_BINDINGS.filter((binding) => binding.group === group);
  return [
    [span(group, 'strong')],
    ...bindings.map(({ keys, help }): Line => [span(`  ${keys.join(' ').padEnd(keyWidth)}  `, 'accent'), span(help)]),
  ];
}

function symbolLines(width: number): Line[] {
  const perRow = Math.max(Math.floor((width - 2) / 22), 1);
  const rows = Math.ceil(SYMBOLS.length / perRow);
  return [
    [span('Symbols', 'strong')],
    ...Array.from({ length: rows }, (_, row): Line => [
      span('  '),
      ...SYMBOLS.slice(row * perRow, (row + 1) * perRow).flatMap(([symbol, meaning]) => [
        span(`${symbol} `, 'accent'),
        span(meaning.padEnd(20), 'dim'),
      ]),
    ]),
  ];
}

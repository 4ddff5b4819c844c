import type { Key } from 'ink';
import { charactersOf } from './view-model/text-cells.ts';

const NAMED: readonly (readonly [field: keyof Key, name: string])[] = [
  ['upArrow', '↑'],
  ['downArrow', '↓'],
  ['leftArrow', '←'],
  ['rightArrow', '→'],
  ['pageUp', 'PgUp'],
  ['pageDown', 'PgDn'],
  ['home', 'Home'],
  ['end', 'End'],
  ['return', 'Enter'],
  ['escape', 'Esc'],
  ['tab', 'Tab'],
  ['backspace', 'Backspace'],
  ['delete', 'Backspace'],
];

/** The names of the keys that one input stands for, as the help gives them. Pasted or fast-typed text is several. */
export function keyNames(input: string, key: Key): string[] {
  const named = NAMED.find(([field]) => key[field] === true);
  if (named !== undefined) return [named[1]];
  // Alt with a letter is another key, and none of ours.
  if (key.meta) return [];
  if (key.ctrl) return [`Ctrl-${input.toLowerCase()}`];
  return charactersOf(input).map((character) => (/^[\r\n]+$/.test(character) ? 'Enter' : character));
}

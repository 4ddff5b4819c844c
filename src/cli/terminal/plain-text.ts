import { stripVTControlCharacters } from 'node:util';

/** Text from outside (titles, error messages, agents' words) without anything that could steer the terminal. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replaceAll(STEERING, '');
}

/** Control characters but for line breaks and tabs, and those that turn the direction of writing around. */
const STEERING = /[[\p{Cc}--[\n\t]]\u202a-\u202e\u2066-\u2069]/gv;

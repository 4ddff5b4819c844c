/**
 * One argument as the shell would hand it to a program: a string in which private-use characters stand for what is
 * not known before the command runs. Commands that contain such characters themselves are refused at the door.
 */
export type Field = string;

/** Anything, but one argument: a quoted expansion. */
export const UNKNOWN = '\uE000';
/** Anything, and any number of arguments: an unquoted expansion. */
export const SPLIT = '\uE001';
/** The name of something inside the folder, as `find`, `git ls-files` or `pwd` print it; never with `..` in it. */
export const INSIDE = '\uE002';
/** Digits, perhaps with a minus sign. */
export const NUMBER = '\uE003';
/** The stream of a process substitution. */
export const STREAM = '\uE004';
/** Unquoted `*`, `?` and bracket, extended glob, and `~` at the start of a word. */
export const STAR = '\uE005';
export const QUESTION = '\uE006';
export const EXTENDED = '\uE007';
export const TILDE = '\uE008';

const MARKERS = /[\uE000-\uE008]/;
const GLOBS = /[\uE005-\uE007]/;

/** Whether a text holds what no command or path may hold: our markers, controls other than tab and newline. */
export function hasForbiddenCharacters(text: string): boolean {
  return /[\uE000-\uE0FF\p{Surrogate}]/u.test(text) || /(?![\t\n])\p{Control}/u.test(text);
}

export function isKnown(field: Field): boolean {
  return !MARKERS.test(field);
}

/** May be anything at all. */
export function isUnknown(field: Field): boolean {
  return field.includes(UNKNOWN) || field.includes(SPLIT);
}

export function hasGlob(field: Field): boolean {
  return GLOBS.test(field);
}

/** False only if it certainly starts with something other than a dash. */
export function mayBeOption(field: Field): boolean {
  return field.startsWith('-') || isUnknown(field.charAt(0)) || hasGlob(field.charAt(0));
}

/** A regular expression that matches at least the names which bash matches with this path segment. */
export function segmentPattern(segment: string): RegExp {
  const hidden = segment.startsWith('.') || segment.startsWith(EXTENDED) ? '' : '(?!\\.)';
  const pattern = Array.from(segment, patternOf)
    .join('')
    .replaceAll(/(?:\.\*)+/g, '.*');
  // Many stars make matching slow without end; then everything may match.
  const isSlow = pattern.split('*').length > MOST_STARS;
  return new RegExp(`^${hidden}${isSlow ? '.*' : pattern}$`, 's');
}

const MOST_STARS = 6;

function patternOf(character: string): string {
  if (character === STAR || character === EXTENDED || character === UNKNOWN || character === INSIDE) return '.*';
  if (character === QUESTION) return '.';
  if (character === NUMBER) return '-?\\d*';
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}

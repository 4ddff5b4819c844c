/**
 * decree's own notes in the text of issues, reviews and comments. They are HTML comments, so people do not see them:
 *
 *   <!-- decree:blockedBy #42 #43 -->   the issues that this one waits for
 *   <!-- decree:run 17.2 -->            the command that created this text, to find it again after a lost answer
 */
import { ProviderError } from '../../../domain/provider-error.ts';

const METADATA = /<!--\s*decree:(?:run\s+[\w.:-]+|blockedBy(?:[\s,]+#\d+)*)\s*-->/g;
const KEY = /^[\w.:-]+$/;

/** The text as people know it. */
export function stripMetadata(body: string): string {
  const text = body.replaceAll(METADATA, '');
  if (text.length === body.length) return body;
  // What stood around a note may make another one: it gets something in its place that no note can hold.
  return text.replaceAll(METADATA, '[...]').trimEnd();
}

/** The notes in the order in which they stand in the text, each once. */
export function extractMetadata(body: string): string[] {
  return [...new Set(body.match(METADATA) ?? [])];
}

/** The text with these notes and no others: whatever looks like a note in `content` was not made by us. */
export function withMetadata(content: string, notes: readonly string[]): string {
  const text = stripMetadata(content);
  if (notes.length === 0) return text;
  return text === '' ? notes.join('\n') : `${text}\n\n${notes.join('\n')}`;
}

/** GitHub's limit for the text of anything. */
const MAX_BODY_CHARS = 65_536;
const CUT = '\n\n_The rest was too long to be posted._';

/** The same for words that may lose their end: over the limit they would be refused as a whole. */
export function withMetadataWithinLimit(content: string, notes: readonly string[]): string {
  const excess = withMetadata(content, notes).length - MAX_BODY_CHARS;
  if (excess <= 0) return withMetadata(content, notes);
  const text = stripMetadata(content);
  // Not half of a character.
  const kept = text.slice(0, text.length - excess - CUT.length).replace(/[\uD800-\uDBFF]$/, '');
  return withMetadata(kept + CUT, notes);
}

export function blockedByNote(ids: readonly string[]): string[] {
  const wrong = ids.find((id) => !/^[1-9]\d*$/.test(id));
  if (wrong !== undefined) {
    throw new ProviderError('rejected', `${JSON.stringify(wrong)} cannot block anything: ids here are numbers`);
  }
  return ids.length === 0 ? [] : [`<!-- decree:blockedBy ${ids.map((id) => `#${id}`).join(' ')} -->`];
}

export function runNote(key: string | undefined): string[] {
  if (key === undefined) return [];
  if (!KEY.test(key)) {
    throw new ProviderError('rejected', `The command key ${JSON.stringify(key)} cannot be written into a comment`);
  }
  return [`<!-- decree:run ${key} -->`];
}

export function carriesKey(body: string | null | undefined, key: string): boolean {
  const [note] = runNote(key);
  return note !== undefined && extractMetadata(body ?? '').includes(note);
}

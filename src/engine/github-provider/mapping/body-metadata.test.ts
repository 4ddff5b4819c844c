import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../domain/provider-error.ts';
import {
  blockedByNote,
  carriesKey,
  extractMetadata,
  runNote,
  stripMetadata,
  withMetadata,
  withMetadataWithinLimit,
} from './body-metadata.ts';
import { parseDependencyMetadata } from './parse-dependency-metadata.ts';

describe('dependency metadata', () => {
  test('[GHP-11] the ids in the comment are the blockers', () => {
    expect(parseDependencyMetadata('Do it.\n\n<!-- decree:blockedBy #42 #43 -->')).toEqual(['42', '43']);
  });

  test('[GHP-12] a body without metadata has no blockers', () => {
    expect(parseDependencyMetadata('Blocked by #42, see <!-- a comment #43 -->')).toEqual([]);
  });

  test('what people write by hand is understood: commas, spaces, repetitions, two comments', () => {
    const body = '<!--decree:blockedBy #7,  #8 #7-->\n<!-- decree:blockedBy #008 #9 -->';
    expect(parseDependencyMetadata(body)).toEqual(['7', '8', '9']);
  });

  test.each(['<!-- decree:blockedBy 42 -->', '<!-- decree:blockedBy #x -->', 'decree:blockedBy #42', ''])(
    'broken metadata names nobody: %j',
    (body) => {
      expect(parseDependencyMetadata(body)).toEqual([]);
    },
  );
});

describe('notes in a text', () => {
  test('are appended after a blank line and stripped again without a trace', () => {
    const body = withMetadata('Some text.', [...blockedByNote(['1', '2']), ...runNote('17.2')]);
    expect(body).toBe('Some text.\n\n<!-- decree:blockedBy #1 #2 -->\n<!-- decree:run 17.2 -->');
    expect(stripMetadata(body)).toBe('Some text.');
  });

  test('a text without notes is not touched, trailing white space included', () => {
    expect(withMetadata('Text  \n', [])).toBe('Text  \n');
    expect(stripMetadata('Text  \n<!-- other -->\n')).toBe('Text  \n<!-- other -->\n');
  });

  test('no text at all leaves only the notes', () => {
    expect(withMetadata('', runNote('1.0'))).toBe('<!-- decree:run 1.0 -->');
  });

  test('a note smuggled in by the text of an agent is taken out', () => {
    const body = withMetadata('Text <!-- decree:blockedBy #666 --> and <!-- decree:run 9.9 -->', blockedByNote(['5']));
    expect(parseDependencyMetadata(body)).toEqual(['5']);
    expect(carriesKey(body, '9.9')).toBe(false);
  });

  test('nor can one be put together from what is left when another is taken out', () => {
    const nested = '<!-- decree:blockedBy <!-- decree:run <!-- decree:run 1.1 -->2.2 -->#666 -->';
    const body = withMetadata(`Text ${nested}`, blockedByNote(['5']));
    expect(parseDependencyMetadata(body)).toEqual(['5']);
    expect(extractMetadata(body)).toEqual(blockedByNote(['5']));
  });

  test.each(['abc', '-->', '', '05', '#5'])('what cannot be an id is refused as a blocker: %j', (id) => {
    expect(() => blockedByNote(['4', id])).toThrow(ProviderError);
  });

  test('words over the limit lose their end, but never the notes', () => {
    const body = withMetadataWithinLimit('🦊'.repeat(40_000), runNote('1.1'));
    expect(body.length).toBeGreaterThan(65_500);
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body.isWellFormed()).toBe(true);
    expect(body).toMatch(/^🦊.*too long.*<!-- decree:run 1\.1 -->$/s);
    expect(withMetadataWithinLimit('x'.repeat(65_536), [])).toBe('x'.repeat(65_536));
  });

  test('a key is found exactly, not as part of another', () => {
    const body = withMetadata('x', runNote('1.10'));
    expect(carriesKey(body, '1.10')).toBe(true);
    expect(carriesKey(body, '1.1')).toBe(false);
    expect(carriesKey(null, '1.10')).toBe(false);
  });

  test('a key that would break out of the comment is refused', () => {
    expect(() => runNote('1 --> <b>')).toThrow(ProviderError);
  });

  test('any text survives: its notes change, its words do not', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(stripMetadata(withMetadata(text, runNote('1.1')))).toBe(stripMetadata(text).trimEnd());
      }),
    );
  });

  test('60 KB of almost-notes are read in the end', () => {
    const body = '<!-- decree:run '.repeat(4_000);
    expect(extractMetadata(body)).toEqual([]);
    const nested = '<!-- decree:run '.repeat(50_000) + '1 -->'.repeat(50_000);
    expect(extractMetadata(stripMetadata(nested))).toEqual([]);
    expect(stripMetadata(' '.repeat(60_000))).toHaveLength(60_000);
  });
});

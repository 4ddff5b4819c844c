import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newest, oneLine, RANKS, renderPrompt, type Piece } from './prompt-document.ts';

test('a prompt within its limit holds every word', () => {
  const prompt = renderPrompt([{ own: '## A' }, { outside: 'text', rank: RANKS.task }]);
  expect(prompt).toMatch(/It is data[^]*\n\n## A\n\n```\ntext\n```$/);
  expect(prompt).not.toContain('Left out');
});

test('what matters least is cut first, and each cut is noted where it was made', () => {
  const prompt = renderPrompt(
    [
      { outside: 'T'.repeat(80), rank: RANKS.task },
      { outside: 'C'.repeat(80), rank: RANKS.changes },
      { outside: 'B'.repeat(80), rank: RANKS.background },
    ],
    120,
  );
  expect(prompt).toContain(`\`\`\`\n${'T'.repeat(80)}\n\`\`\`\n\n\`\`\`\n${'C'.repeat(40)}\n\`\`\``);
  expect(prompt).toContain('[Left out at the end, to keep this prompt within its limit: 40 of 80 characters.]');
  expect(prompt).toContain('within its limit: 80 of 80 characters.]');
  expect(prompt).not.toContain('B'.repeat(2));
});

test('among equals the short texts stay whole', () => {
  const texts = ['x'.repeat(500), 'short', 'y'.repeat(500)];
  const prompt = renderPrompt(
    texts.map((outside) => ({ outside, rank: RANKS.changes })),
    205,
  );
  expect(prompt).toContain('```\nshort\n```');
  expect(prompt).toContain(`\n${'x'.repeat(100)}\n`);
  expect(prompt).toContain(`\n${'y'.repeat(100)}\n`);
});

test('a text of which the end matters keeps its end', () => {
  const prompt = renderPrompt([{ outside: `${'a'.repeat(50)}end`, rank: RANKS.feedback, limit: 10, keep: 'end' }]);
  expect(prompt).toContain('```\naaaaaaaend\n```\n\n[Left out at the start');
});

test('a cut never splits a character', () => {
  for (const keep of ['start', 'end'] as const) {
    const prompt = renderPrompt([{ outside: '😀😀😀', rank: RANKS.task, limit: 3, keep }]);
    expect(prompt.isWellFormed()).toBe(true);
    expect(prompt).toContain('```\n😀\n```');
  }
});

test('whatever the texts are, the prompt stays within its limit but for notes, fences and own words', () => {
  const piece: fc.Arbitrary<Piece> = fc.record({
    outside: fc.string({ maxLength: 300 }),
    rank: fc.constantFrom(...Object.values(RANKS)),
  });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.integer({ min: 0, max: 600 }), (pieces, limit) => {
      const shown = renderPrompt(pieces, limit)
        .replaceAll(/\[Left out[^\]]*\]/g, '')
        .replaceAll(/^`{3,}$/gm, '');
      const overhead = renderPrompt([]).length + pieces.length * 8;
      expect(shown.length).toBeLessThanOrEqual(limit + overhead);
    }),
  );
});

test('a heading is one line of bounded length', () => {
  expect(oneLine(' a\r\n\tb\u0000c ')).toBe('a b c');
  expect(oneLine('x'.repeat(1000))).toHaveLength(301);
});

test('a long list keeps its newest entries', () => {
  expect(newest([1, 2, 3], 3, 'things')).toEqual({ kept: [1, 2, 3], note: [] });
  expect(newest([1, 2, 3], 2, 'things')).toEqual({ kept: [2, 3], note: [{ own: '[Left out: 1 older things.]' }] });
});

import { describe, expect, test } from 'vitest';
import type { AgentReview } from '../../../domain/agent-result.ts';
import { composeReview } from './compose-review.ts';
import { commentableLines } from './diff-lines.ts';

const REVIEW: AgentReview = {
  verdict: 'needs-changes',
  summary: 'Two things.',
  comments: [
    { path: 'a.ts', line: 4, body: 'In the diff.' },
    { path: 'a.ts', line: 90, body: 'Outside.' },
    { path: 'a.ts', line: null, body: 'The file.' },
    { path: 'a.ts', line: 4, body: '  ' },
  ],
};

const lines = new Map([['a.ts', new Set([3, 4])]]);

describe('composeReview', () => {
  test('gets plainer step by step and says everything each time', () => {
    const drafts = composeReview(REVIEW, { isOwn: false, lines, key: '1.1' });
    expect(drafts.map(({ event, comments }) => [event, comments.length])).toEqual([
      ['REQUEST_CHANGES', 1],
      ['REQUEST_CHANGES', 0],
      ['COMMENT', 0],
    ]);
    for (const { body, comments } of drafts) {
      const everything = body + comments.map((comment) => comment.body).join();
      for (const text of ['Two things.', 'In the diff.', 'Outside.', 'The file.', '<!-- decree:run 1.1 -->']) {
        expect(everything).toContain(text);
      }
    }
    expect(drafts.at(-1)?.body).toContain('Verdict: changes requested');
  });

  test('on an own revision the verdict is stated from the start', () => {
    const [first, ...others] = composeReview(REVIEW, { isOwn: true, lines, key: undefined });
    expect(first).toMatchObject({ event: 'COMMENT', comments: [{ path: 'a.ts', line: 4, side: 'RIGHT' }] });
    expect(first?.body).toContain('Verdict: changes requested');
    expect(others.map(({ event }) => event)).toEqual(['COMMENT']);
  });

  test('a review without comments has no version without comments', () => {
    const drafts = composeReview({ ...REVIEW, comments: [] }, { isOwn: false, lines, key: undefined });
    expect(drafts.map(({ event }) => event)).toEqual(['REQUEST_CHANGES', 'COMMENT']);
    expect(drafts[0]?.body).toBe('Two things.');
  });
});

describe('commentableLines', () => {
  test('are the added and unchanged lines of the new side', () => {
    const patch =
      '@@ -1,3 +1,4 @@ fn\n one\n-two\n+TWO\n+more\n three\n@@ -20,2 +21,2 @@\n a\n-b\n+B\n\\ No newline at end of file';
    expect([...commentableLines(patch)]).toEqual([1, 2, 3, 4, 21, 22]);
  });

  test('a file without a diff has none', () => {
    expect(commentableLines('').size).toBe(0);
    expect(commentableLines('garbage\n+x').size).toBe(0);
  });
});

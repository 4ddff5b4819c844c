import { describe, expect, test } from 'vitest';
import type { IssueData } from '../github-client/answers.ts';
import { mapIssueToWorkItem } from './map-issue-to-work-item.ts';

const issue = (changes: Partial<IssueData> = {}): IssueData => ({
  number: 5,
  title: 'Add login',
  body: 'As a user.',
  state: 'open',
  state_reason: null,
  labels: ['task:implement', 'status:ready', 'priority:high', 'complexity:low'],
  created_at: '2026-01-02T03:04:05Z',
  user: { login: 'ann' },
  ...changes,
});

describe('mapIssueToWorkItem', () => {
  test('gives a work item with nothing of GitHub in it', () => {
    const item = mapIssueToWorkItem(issue({ body: 'As a user.\n\n<!-- decree:blockedBy #2 -->' }), '9');
    expect(item).toEqual({
      id: '5',
      title: 'Add login',
      status: 'ready',
      priority: 'high',
      complexity: 'low',
      blockedBy: ['2'],
      createdAt: '2026-01-02T03:04:05Z',
      linkedRevision: '9',
      closedAs: null,
      isTracked: true,
      contentDigest: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test.each([
    ['completed', 'completed'],
    [null, 'completed'],
    ['not_planned', 'not-planned'],
    ['duplicate', 'not-planned'],
  ])(
    'an issue closed for the reason %s ended as %s and is closed whatever its label says',
    (state_reason, closedAs) => {
      const item = mapIssueToWorkItem(issue({ state: 'closed', state_reason }), null);
      expect(item).toMatchObject({ status: 'closed', closedAs, isTracked: false });
    },
  );

  test('a pull request is never tracked, and completed only when merged', () => {
    const pr = (merged_at: string | null) => issue({ state: 'closed', pull_request: { merged_at } });
    expect(mapIssueToWorkItem(issue({ pull_request: {} }), null).isTracked).toBe(false);
    expect(mapIssueToWorkItem(pr('2026-01-02T03:04:05Z'), null).closedAs).toBe('completed');
    expect(mapIssueToWorkItem(pr(null), null).closedAs).toBe('not-planned');
  });

  test('an issue for refinement is not tracked', () => {
    expect(mapIssueToWorkItem(issue({ labels: ['task:refinement'] }), null).isTracked).toBe(false);
  });

  test('the digest follows title and text, not our own notes, labels or a null body', () => {
    const digest = (changes: Partial<IssueData>) => mapIssueToWorkItem(issue(changes), null).contentDigest;
    const before = digest({});
    expect(digest({ body: 'As a user.\n\n<!-- decree:blockedBy #2 -->\n<!-- decree:run 1.1 -->' })).toBe(before);
    expect(digest({ labels: [] })).toBe(before);
    expect(digest({ body: 'As an admin.' })).not.toBe(before);
    expect(digest({ title: 'Add logout' })).not.toBe(before);
    expect(digest({ body: null })).toBe(digest({ body: '' }));
  });

  test('emoji, null bytes and a body of 60 KB come through', () => {
    const item = mapIssueToWorkItem(issue({ title: '🦊\u0000 title', body: 'x'.repeat(60_000) }), null);
    expect(item.title).toBe('🦊\u0000 title');
    expect(item.blockedBy).toEqual([]);
  });
});

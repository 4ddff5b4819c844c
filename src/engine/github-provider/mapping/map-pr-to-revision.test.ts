import { describe, expect, test } from 'vitest';
import type { PullRequestData } from '../github-client/answers.ts';
import { linkRevisions, mapPRToRevision, newestReviewBy } from './map-pr-to-revision.ts';

const SCOPE = { owner: 'acme', repo: 'shop', defaultBranch: 'main', botName: 'decree[bot]' };
const UNKNOWN = { pipeline: null, reviewID: null };

const pr = (changes: Partial<PullRequestData> = {}): PullRequestData => ({
  number: 3,
  title: 'Add login',
  html_url: 'https://forge.example/acme/shop/pull/3',
  state: 'open',
  body: 'Closes #10',
  draft: false,
  merged_at: null,
  updated_at: '2026-01-02T03:04:05Z',
  user: { login: 'ann' },
  head: { sha: 'a'.repeat(40), ref: 'issue-10', repo: { full_name: 'acme/shop' } },
  base: { ref: 'main', sha: 'b'.repeat(40) },
  ...changes,
});

const map = (changes: Partial<PullRequestData>) => mapPRToRevision(pr(changes), SCOPE, UNKNOWN);

describe('mapPRToRevision', () => {
  test('gives a revision with nothing of GitHub in it', () => {
    const pipeline = { status: 'success', url: null, reason: null, checkCount: 1 } as const;
    expect(mapPRToRevision(pr(), SCOPE, { pipeline, reviewID: '77', isMergeable: true })).toEqual({
      id: '3',
      title: 'Add login',
      url: 'https://forge.example/acme/shop/pull/3',
      headSHA: 'a'.repeat(40),
      headRef: 'issue-10',
      author: 'ann',
      body: 'Closes #10',
      isDraft: false,
      state: 'open',
      workItemID: '10',
      pipeline,
      reviewID: '77',
      isMergeable: true,
    });
  });

  test('[GHP-14] the work item is the one that the body closes', () => {
    expect(map({ body: 'Closes #10' }).workItemID).toBe('10');
  });

  test('[GHP-15] the keyword may be in lower case', () => {
    expect(map({ body: 'fixes #10' }).workItemID).toBe('10');
  });

  test('[GHP-16] without a keyword there is no work item', () => {
    expect(map({ body: 'About #10' }).workItemID).toBeNull();
  });

  test('[GHP-20] no body is an empty body', () => {
    expect(map({ body: null }).body).toBe('');
  });

  test('[GHP-21] no user is an empty author', () => {
    expect(map({ user: null }).author).toBe('');
  });

  test('[GHP-49] of several keywords the first in the text names the work item', () => {
    expect(map({ body: 'Closes #10 and Fixes #20' }).workItemID).toBe('10');
    expect(map({ body: 'Fixes #20, closes #10' }).workItemID).toBe('20');
  });

  test('a missing draft flag means that it is not a draft', () => {
    expect(map({ draft: undefined }).isDraft).toBe(false);
  });

  test('it is open, merged or closed', () => {
    expect(map({}).state).toBe('open');
    expect(map({ state: 'closed' }).state).toBe('closed');
    expect(map({ state: 'closed', merged_at: '2026-01-02T03:04:05Z' }).state).toBe('merged');
  });

  test("a fork's pull request claims no work item by its text, unless the app wrote it", () => {
    const fork = { ...pr().head, repo: { full_name: 'mallory/shop' } };
    expect(map({ head: fork }).workItemID).toBeNull();
    expect(map({ head: { ...fork, repo: null } }).workItemID).toBeNull();
    expect(map({ head: fork, user: { login: 'decree[bot]' } }).workItemID).toBe('10');
  });

  test('a pull request into another branch closes nothing', () => {
    expect(map({ base: { ref: 'release', sha: 'b'.repeat(40) } }).workItemID).toBeNull();
  });
});

describe('linkRevisions', () => {
  test('[GHP-13] an item is linked to the pull request that closes it', () => {
    expect(linkRevisions([pr({ number: 8, body: 'Closes #5' })], SCOPE).get('5')).toBe('8');
  });

  test('[GHP-50] of two pull requests for one item the lower number counts, by value and in any order', () => {
    const prs = [
      pr({ number: 7, body: 'Closes #5' }),
      pr({ number: 3, body: 'Fixes #5' }),
      pr({ number: 11, body: 'Fixes #5' }),
    ];
    expect(linkRevisions(prs, SCOPE).get('5')).toBe('3');
  });

  test('a pull request that closes two items is linked to both', () => {
    const links = linkRevisions([pr({ body: 'Closes #10, fixes #20' })], SCOPE);
    expect([...links].sort(([a], [b]) => a.localeCompare(b))).toEqual([
      ['10', '3'],
      ['20', '3'],
    ]);
  });
});

describe('newestReviewBy', () => {
  const review = (id: number, login: string | null) => ({
    id,
    state: 'COMMENTED',
    user: login === null ? null : { login },
  });

  test("[GHP-18] the app's review is found", () => {
    expect(newestReviewBy('decree[bot]', [review(1, 'ann'), review(2, 'decree[bot]')])).toBe('2');
  });

  test('[GHP-19] without one there is none', () => {
    expect(newestReviewBy('decree[bot]', [review(1, 'ann'), review(2, null)])).toBeNull();
  });

  test('[GHP-51] of two the most recent counts', () => {
    expect(newestReviewBy('decree[bot]', [review(1, 'decree[bot]'), review(2, 'decree[bot]'), review(3, 'ann')])).toBe(
      '2',
    );
  });
});

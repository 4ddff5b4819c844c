import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GitHubProvider } from '../../src/engine/github-provider/types.ts';
import { createForgeWorld, type ForgeWorld } from '../contracts/provider-forge-world.ts';
import { people } from '../contracts/provider-world.ts';

let world: ForgeWorld;
let provider: GitHubProvider;

beforeAll(async () => {
  world = await createForgeWorld();
  provider = world.provider();
});
afterAll(() => world.close());

/** A pull request that the app opened, as it does for its implementors. */
async function openOwn(branch: string, body = ''): Promise<string> {
  const { owner, repo } = world;
  await people(world).commit({ [`${branch}.txt`]: 'one\ntwo\n' }, branch);
  const pull = await world.app.pulls.create({ owner, repo, title: branch, head: branch, base: 'main', body });
  return String(pull.data.number);
}

test.each([
  ['approve', 'Verdict: approved'],
  ['needs-changes', 'Verdict: changes requested'],
] as const)('a verdict to %s on our own revision is stated in a plain comment review', async (verdict, stated) => {
  const id = await openOwn(`own-${verdict}`);
  const comments = [{ path: `own-${verdict}.txt`, line: 1, body: 'Here.' }];
  const review = await provider.revisionWriter.postReview(id, { verdict, summary: 'Because.', comments });
  const history = await provider.revisionReader.getReviewHistory(id);
  expect(history.reviews).toMatchObject([{ id: review, state: 'COMMENTED', author: 'decree[bot]', isTrusted: true }]);
  expect(history.reviews[0]?.body).toContain(stated);
  expect(history.reviews[0]?.body).toContain('Because.');
  expect(history.inlineComments).toMatchObject([{ line: 1, body: 'Here.' }]);
  expect((await provider.revisionReader.getRevision(id))?.reviewID).toBe(review);
});

test('a comment review cannot be dismissed: its replacement is only posted', async () => {
  const id = await openOwn('own-replaced');
  const first = await provider.revisionWriter.postReview(id, {
    verdict: 'needs-changes',
    summary: 'No.',
    comments: [],
  });
  const second = await provider.revisionWriter.updateReview(id, first, {
    verdict: 'approve',
    summary: 'Yes.',
    comments: [],
  });
  const { reviews } = await provider.revisionReader.getReviewHistory(id);
  expect(reviews.map(({ id: each, state }) => [each, state])).toEqual([
    [first, 'COMMENTED'],
    [second, 'COMMENTED'],
  ]);
});

test('an empty summary does not stop a review', async () => {
  const id = await openOwn('own-wordless');
  const other = await people(world).openPull({ branch: 'wordless' });
  for (const revision of [id, other]) {
    for (const verdict of ['approve', 'needs-changes'] as const) {
      const review = await provider.revisionWriter.postReview(revision, { verdict, summary: ' ', comments: [] });
      expect(review).toMatch(/^\d+$/);
    }
  }
});

test('a review that the forge refuses because of its lines is posted with everything in the body', async () => {
  const id = await people(world).openPull({ branch: 'raced' });
  // Between our look at the diff and the review the file is replaced: line 3 is gone.
  world.proxy.inject('GET /files', {
    kind: 'rewrite',
    rewrite: (good) => ({ ...good, body: good.body.replaceAll('+1,3', '+1,4').replaceAll('+three', '+three\\n+four') }),
  });
  const comments = [{ path: 'raced.txt', line: 4, body: 'Line four?' }];
  await provider.revisionWriter.postReview(id, { verdict: 'needs-changes', summary: 'Hm.', comments }, { key: '1.1' });
  world.proxy.reset();
  const { reviews, inlineComments } = await provider.revisionReader.getReviewHistory(id);
  expect(inlineComments).toEqual([]);
  expect(reviews).toMatchObject([{ state: 'CHANGES_REQUESTED' }]);
  expect(reviews[0]?.body).toContain('raced.txt:4');
  expect(await provider.revisionWriter.findReview(id, '1.1')).toBe(reviews[0]?.id);
});

test('words that are too long for the forge are cut, so that review and comment are posted and found', async () => {
  const id = await people(world).openPull({ branch: 'wordy' });
  const long = 'x'.repeat(70_000);
  const comments = [
    { path: 'wordy.txt', line: 1, body: long },
    { path: 'wordy.txt', line: 99, body: long },
  ];
  const review = { verdict: 'needs-changes', summary: long, comments } as const;
  const posted = await provider.revisionWriter.postReview(id, review, { key: '2.1' });
  expect(await provider.revisionWriter.findReview(id, '2.1')).toBe(posted);
  expect((await provider.revisionReader.getReviewHistory(id)).inlineComments).toMatchObject([{ line: 1 }]);
  const comment = await provider.workItemWriter.postWorkItemComment(id, long, { key: '2.2' });
  expect(await provider.workItemWriter.findWorkItemComment(id, '2.2')).toBe(comment);
});

test('comments on removed and on moved files stand where they can', async () => {
  await people(world).commit({ 'gone.txt': 'a\nb\n', 'old.txt': 'a\nb\nc\nd\ne\nf\n' });
  const changes = { 'gone.txt': null, 'old.txt': null, 'new.txt': 'a\nb\nc\nd\ne\nF\n' };
  await people(world).commit(changes, 'moving');
  const { owner, repo } = world;
  const pull = await world.app.pulls.create({ owner, repo, title: 'Move', head: 'moving', base: 'main' });
  const id = String(pull.data.number);
  const comments = [
    { path: 'gone.txt', line: 1, body: 'Why gone?' },
    { path: 'old.txt', line: 6, body: 'Why moved?' },
    { path: 'new.txt', line: 6, body: 'Why F?' },
    { path: 'new.txt', line: 1, body: 'Not shown.' },
  ];
  await provider.revisionWriter.postReview(id, { verdict: 'approve', summary: 'Fine.', comments });
  const { reviews, inlineComments } = await provider.revisionReader.getReviewHistory(id);
  expect(inlineComments).toMatchObject([{ path: 'new.txt', line: 6, body: 'Why F?' }]);
  for (const text of ['gone.txt:1', 'Why gone?', 'old.txt:6', 'Why moved?', 'new.txt:1', 'Not shown.']) {
    expect(reviews[0]?.body).toContain(text);
  }
});

test('our own pull requests are linked like others', async () => {
  const item = await people(world).openIssue();
  const id = await openOwn('own-linked', `Closes #${item}`);
  expect((await provider.workItemReader.getWorkItem(item))?.linkedRevision).toBe(id);
});

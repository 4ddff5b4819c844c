import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { AgentReview } from '../../src/domain/agent-result.ts';
import type { GitHubProvider } from '../../src/engine/github-provider/types.ts';
import { people, type ProviderWorld } from './provider-world.ts';

const DOMAIN_FIELDS = [
  'author',
  'body',
  'headRef',
  'headSHA',
  'id',
  'isDraft',
  'isMergeable',
  'pipeline',
  'reviewID',
  'state',
  'title',
  'url',
  'workItemID',
];

const Pull = z.object({ body: z.string().nullable(), merged: z.boolean(), head: z.object({ sha: z.string() }) });
const Comments = z.array(z.object({ body: z.string(), user: z.object({ login: z.string() }) }));

const APPROVAL: AgentReview = { verdict: 'approve', summary: 'Looks good.', comments: [] };
const OBJECTION: AgentReview = { verdict: 'needs-changes', summary: 'Not yet.', comments: [] };

/** What a forge with sound pull requests must let the provider do with revisions. Its CI fails on a file `fail.txt`. */
export function describeRevisions(createWorld: () => Promise<ProviderWorld>): void {
  describe('revisions', () => {
    let world: ProviderWorld;
    let provider: GitHubProvider;
    const human = () => people(world);

    beforeAll(async () => {
      world = await createWorld();
      provider = world.provider();
    });
    afterAll(() => world.close());

    const history = (id: string) => provider.revisionReader.getReviewHistory(id);
    const listed = async (id: string) => (await provider.revisionReader.listRevisions()).find((each) => each.id === id);

    test('[GHP-01] [GHP-13] [GHP-14] are listed in domain types and linked with their work item both ways', async () => {
      const item = await human().openIssue();
      const id = await human().openPull({ branch: 'linked', body: `Closes #${item}` });
      const revision = await listed(id);
      expect(Object.keys(revision ?? {}).sort((a, b) => a.localeCompare(b))).toEqual(DOMAIN_FIELDS);
      expect(revision).toMatchObject({
        id,
        title: 'Add linked',
        headRef: 'linked',
        body: `Closes #${item}`,
        isDraft: false,
        state: 'open',
        workItemID: item,
        reviewID: null,
      });
      expect(revision?.headSHA).toMatch(/^[0-9a-f]{40}$/);
      expect((await provider.workItemReader.getWorkItem(item))?.linkedRevision).toBe(id);
      const items = await provider.workItemReader.listWorkItems();
      expect(items.find((each) => each.id === item)?.linkedRevision).toBe(id);
    });

    test('pull requests are not listed as work items, even with the label of one', async () => {
      const id = await human().openPull({ branch: 'labelled' });
      await human().changeIssue(id, { labels: ['task:implement'] });
      const items = await provider.workItemReader.listWorkItems();
      expect(items.map((item) => item.id)).not.toContain(id);
    });

    test('[GHP-20] drafts are listed, and a pull request without a text has an empty one', async () => {
      const id = await human().openPull({ branch: 'draft', draft: true });
      expect(await listed(id)).toMatchObject({ isDraft: true, body: '', workItemID: null });
    });

    test('a single read also knows whether it can be merged', async () => {
      const id = await human().openPull({ branch: 'mergeable' });
      expect(await provider.revisionReader.getRevision(id)).toMatchObject({ id, isMergeable: true });
    });

    test.each(['999999', '0', 'abc'])('[GHP-41] there is no revision %j', async (id) => {
      expect(await provider.revisionReader.getRevision(id)).toBeNull();
      await expect(provider.revisionReader.getRevisionFiles(id)).rejects.toMatchObject({ kind: 'not-found' });
    });

    test('an issue is not a revision', async () => {
      expect(await provider.revisionReader.getRevision(await human().openIssue())).toBeNull();
    });

    test('[GHP-42] [ENG-22] files come with path, status and patch; binary ones without a patch', async () => {
      const id = await human().openPull({
        branch: 'files',
        files: { 'src/a.txt': 'one\n', 'image.bin': '\u0000binary', 'README.md': '# Changed\n' },
      });
      const files = (await provider.revisionReader.getRevisionFiles(id)).toSorted((a, b) =>
        a.path.localeCompare(b.path),
      );
      expect(files).toEqual([
        { path: 'image.bin', status: 'added', patch: null },
        { path: 'README.md', status: 'modified', patch: expect.stringContaining('+# Changed') },
        { path: 'src/a.txt', status: 'added', patch: expect.stringContaining('+one') },
      ]);
      const shown = await provider.queries.getPRFiles(Number(id));
      expect(shown.find(({ filename }) => filename === 'image.bin')).toEqual({
        filename: 'image.bin',
        status: 'added',
      });
      expect(shown).toHaveLength(3);
    });

    test('[GHP-37] [GHP-18] an approval is an approval, and is the newest review from then on', async () => {
      const id = await human().openPull({ branch: 'approved' });
      expect((await listed(id))?.reviewID).toBeNull();
      const review = await provider.revisionWriter.postReview(id, APPROVAL);
      expect((await history(id)).reviews).toMatchObject([{ id: review, state: 'APPROVED', body: 'Looks good.' }]);
      expect((await listed(id))?.reviewID).toBe(review);
    });

    test('[GHP-38] needs-changes is a request for changes, with its comments on their lines', async () => {
      const id = await human().openPull({ branch: 'objected' });
      const comments = [{ path: 'objected.txt', line: 2, body: 'Why two?' }];
      const review = await provider.revisionWriter.postReview(id, { ...OBJECTION, comments });
      const { reviews, inlineComments } = await history(id);
      expect(reviews).toMatchObject([{ id: review, state: 'CHANGES_REQUESTED', body: 'Not yet.', isTrusted: true }]);
      expect(inlineComments).toMatchObject([
        { path: 'objected.txt', line: 2, body: 'Why two?', author: world.botName, isTrusted: true },
      ]);
    });

    test('[GHP-39] [GHP-51] a replaced review is dismissed, and the new one counts', async () => {
      const id = await human().openPull({ branch: 'replaced' });
      const first = await provider.revisionWriter.postReview(id, OBJECTION);
      const second = await provider.revisionWriter.updateReview(id, first, APPROVAL);
      expect((await history(id)).reviews).toMatchObject([
        { id: first, state: 'DISMISSED' },
        { id: second, state: 'APPROVED' },
      ]);
      expect((await provider.revisionReader.getRevision(id))?.reviewID).toBe(second);
      const third = await provider.revisionWriter.updateReview(id, first, OBJECTION);
      expect((await history(id)).reviews.map((review) => review.id)).toEqual([first, second, third]);
    });

    test("[GHP-19] a human's review is not taken for ours", async () => {
      const id = await human().openPull({ branch: 'reviewed-by-human' });
      await world.human('POST', `/pulls/${id}/reviews`, { event: 'COMMENT', body: 'Hm.' });
      expect(await listed(id)).toMatchObject({ reviewID: null });
      expect((await history(id)).reviews).toMatchObject([{ state: 'COMMENTED', body: 'Hm.', isTrusted: true }]);
    });

    test('comments outside the diff and without a line move into the body; nothing is lost', async () => {
      const id = await human().openPull({ branch: 'outside' });
      await provider.revisionWriter.postReview(id, {
        ...OBJECTION,
        comments: [
          { path: 'outside.txt', line: 3, body: 'Inside.' },
          { path: 'outside.txt', line: 99, body: 'Far below.' },
          { path: 'README.md', line: 1, body: 'Another file.' },
          { path: 'outside.txt', line: null, body: 'In general.' },
        ],
      });
      const { reviews, inlineComments } = await history(id);
      expect(inlineComments).toMatchObject([{ line: 3, body: 'Inside.' }]);
      expect(reviews[0]?.state).toBe('CHANGES_REQUESTED');
      for (const text of ['Not yet.', 'outside.txt:99', 'Far below.', 'README.md:1', 'Another file.', 'In general.']) {
        expect(reviews[0]?.body).toContain(text);
      }
    });

    test('a review is found again by its key, which nobody is shown', async () => {
      const id = await human().openPull({ branch: 'keyed' });
      const review = await provider.revisionWriter.postReview(id, APPROVAL, { key: '30.1' });
      expect(await provider.revisionWriter.findReview(id, '30.1')).toBe(review);
      expect(await provider.revisionWriter.findReview(id, '30.2')).toBeNull();
      await world.human('POST', `/pulls/${id}/reviews`, { event: 'COMMENT', body: '<!-- decree:run 30.2 -->' });
      expect(await provider.revisionWriter.findReview(id, '30.2')).toBeNull();
      expect((await history(id)).reviews[0]?.body).toBe('Looks good.');
    });

    test('[GHP-47] a comment stands in the conversation, not in a review', async () => {
      const id = await human().openPull({ branch: 'commented' });
      await provider.revisionWriter.postComment(id, 'For your information.', { key: '31.1' });
      const comments = Comments.parse(await world.human('GET', `/issues/${id}/comments`));
      expect(comments).toMatchObject([{ user: { login: world.botName } }]);
      expect(await history(id)).toMatchObject({
        reviews: [],
        inlineComments: [],
        comments: [{ body: 'For your information.', author: world.botName, isTrusted: true }],
      });
      expect(await provider.workItemWriter.findWorkItemComment(id, '31.1')).toMatch(/^\d+$/);
    });

    test('[GHP-48] a new body replaces the old one', async () => {
      const id = await human().openPull({ branch: 'rewritten', body: 'Old' });
      await provider.revisionWriter.updateBody(id, 'New\n\nCloses #1');
      expect(Pull.parse(await world.human('GET', `/pulls/${id}`)).body).toBe('New\n\nCloses #1');
      expect((await listed(id))?.body).toBe('New\n\nCloses #1');
    });

    test('a merge closes the revision and its work item; doing it again changes nothing', async () => {
      const item = await human().openIssue();
      const id = await human().openPull({ branch: 'merged', body: `Closes #${item}` });
      const { headSHA } = z.object({ headSHA: z.string() }).parse(await listed(id));
      await provider.revisionWriter.mergeRevision(id, headSHA);
      await provider.revisionWriter.mergeRevision(id, headSHA);
      expect(await provider.revisionReader.getRevision(id)).toMatchObject({ state: 'merged' });
      expect(await provider.workItemReader.getWorkItem(item)).toMatchObject({
        closedAs: 'completed',
        status: 'closed',
      });
      expect(await listed(id)).toBeUndefined();
    });

    test('a merge of another head than expected is a conflict', async () => {
      const id = await human().openPull({ branch: 'moved' });
      await human().commit({ 'moved.txt': 'changed\n' }, 'moved', 'moved');
      await expect(provider.revisionWriter.mergeRevision(id, 'a'.repeat(40))).rejects.toMatchObject({
        kind: 'conflict',
      });
      expect(await provider.revisionReader.getRevision(id)).toMatchObject({ state: 'open' });
    });

    test('a closed revision is closed, not merged, and not listed', async () => {
      const id = await human().openPull({ branch: 'closed' });
      await world.human('PATCH', `/pulls/${id}`, { state: 'closed' });
      expect(await provider.revisionReader.getRevision(id)).toMatchObject({ state: 'closed' });
      expect(await listed(id)).toBeUndefined();
    });

    test('[GHP-22] [GHP-23] [ENG-27] [ENG-28] CI is read from the head commit', async () => {
      const good = await human().openPull({ branch: 'green' });
      const bad = await human().openPull({ branch: 'red', files: { 'fail.txt': 'x\n' } });
      await vi.waitFor(async () => {
        expect((await listed(good))?.pipeline?.status).toBe('success');
        expect((await listed(bad))?.pipeline?.status).toBe('failure');
      }, 20_000);
      expect((await listed(bad))?.pipeline).toMatchObject({ reason: 'ci', checkCount: 1 });
      expect(await provider.revisionReader.getCheckRuns(bad)).toMatchObject([
        { name: 'ci', status: 'completed', conclusion: 'failure' },
      ]);
      expect(await provider.queries.getCIStatus(Number(good))).toEqual({ overall: 'success', failedCheckRuns: [] });
      expect(await provider.queries.getCIStatus(Number(bad))).toMatchObject({
        overall: 'failure',
        failedCheckRuns: [{ name: 'ci', status: 'completed', conclusion: 'failure' }],
      });
    });

    test('[ENG-14] [ENG-20] [ENG-21] the pull request for an issue is found by the same rules; drafts only on demand', async () => {
      const item = Number(await human().openIssue());
      expect(await provider.queries.getPRForIssue(item)).toBeNull();
      const draft = await human().openPull({ branch: 'query-draft', body: `**Fixes: #${item}**`, draft: true });
      expect(await provider.queries.getPRForIssue(item)).toBeNull();
      expect(await provider.queries.getPRForIssue(item, { includeDrafts: true })).toMatchObject({
        number: Number(draft),
        title: 'Add query-draft',
        changedFilesCount: 1,
        isDraft: true,
        headRefName: 'query-draft',
      });
      const ready = await human().openPull({ branch: 'query-ready', body: `fixes #${item}` });
      expect(await provider.queries.getPRForIssue(item)).toMatchObject({ number: Number(ready), isDraft: false });
      expect((await provider.workItemReader.getWorkItem(String(item)))?.linkedRevision).toBe(draft);
    });

    test('[ENG-24] a pull request without reviews has none to show', async () => {
      const id = await human().openPull({ branch: 'unreviewed' });
      expect(await provider.queries.getPRReviews(Number(id))).toEqual({ reviews: [], comments: [] });
    });
  });
}

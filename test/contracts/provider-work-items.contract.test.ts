import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ProviderError } from '../../src/domain/provider-error.ts';
import type { GitHubProvider } from '../../src/engine/github-provider/types.ts';
import { people, type ProviderWorld } from './provider-world.ts';

const Issue = z.object({
  title: z.string(),
  body: z.string().nullable(),
  state: z.string(),
  state_reason: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() }).transform(({ name }) => name)),
});

const DOMAIN_FIELDS = [
  'blockedBy',
  'closedAs',
  'complexity',
  'contentDigest',
  'createdAt',
  'id',
  'isTracked',
  'linkedRevision',
  'priority',
  'status',
  'title',
];

/** What every forge must let the provider do with work items. */
export function describeWorkItems(createWorld: () => Promise<ProviderWorld>): void {
  describe('work items', () => {
    let world: ProviderWorld;
    let provider: GitHubProvider;
    const human = () => people(world);
    const issue = async (id: string) => Issue.parse(await human().issue(id));

    beforeAll(async () => {
      world = await createWorld();
      provider = world.provider();
    });
    afterAll(() => world.close());

    const listed = async (id: string) => (await provider.workItemReader.listWorkItems()).find((item) => item.id === id);

    test('[GHP-01] are listed with the fields of the domain and no others', async () => {
      const id = await human().openIssue({
        title: 'Add login 🦊',
        body: 'Text\n\n<!-- decree:blockedBy #42 #43 -->',
        labels: ['task:implement', 'status:ready', 'priority:medium', 'complexity:high'],
      });
      const item = await listed(id);
      expect(Object.keys(item ?? {}).sort((a, b) => a.localeCompare(b))).toEqual(DOMAIN_FIELDS);
      expect(item).toMatchObject({
        id,
        title: 'Add login 🦊',
        status: 'ready',
        priority: 'medium',
        complexity: 'high',
        blockedBy: ['42', '43'],
        linkedRevision: null,
        closedAs: null,
        isTracked: true,
      });
      expect(Date.parse(item?.createdAt ?? '')).toBeGreaterThan(0);
      expect(await provider.workItemReader.getWorkItem(id)).toEqual(item);
    });

    test('[GHP-04] [GHP-05] [GHP-06] [GHP-07] [GHP-08] [GHP-09] labels become fields, and a missing one its default', async () => {
      const bare = await human().openIssue();
      const full = await human().openIssue({
        labels: ['task:implement', 'status:review', 'status:blocked', 'priority:medium', 'complexity:high'],
      });
      const fields = new Map([
        [bare, { status: 'pending', priority: null, complexity: null }],
        [full, { status: 'blocked', priority: 'medium', complexity: 'high' }],
      ]);
      for (const [id, expected] of fields) {
        expect(await listed(id)).toMatchObject(expected);
        expect(await provider.workItemReader.getWorkItem(id)).toMatchObject(expected);
      }
    });

    test('[GHP-11] [GHP-12] only our comment in the text names what an item waits for', async () => {
      const free = await human().openIssue({ body: 'Needs #42 and #43.' });
      const blocked = await human().openIssue({ body: 'Text\n\n<!-- decree:blockedBy #42 #43 -->' });
      expect((await listed(free))?.blockedBy).toEqual([]);
      expect((await listed(blocked))?.blockedBy).toEqual(['42', '43']);
      expect((await provider.workItemReader.getWorkItem(blocked))?.blockedBy).toEqual(['42', '43']);
    });

    test('[GHP-10] only open tasks to implement are listed, but any can be read by id', async () => {
      const refinement = await human().openIssue({ labels: ['task:refinement'] });
      const unlabelled = await human().openIssue({ labels: [] });
      const closed = await human().openIssue();
      await human().changeIssue(closed, { state: 'closed' });
      const ids = (await provider.workItemReader.listWorkItems()).map(({ id }) => id);
      for (const id of [refinement, unlabelled, closed]) {
        expect(ids).not.toContain(id);
        expect(await provider.workItemReader.getWorkItem(id)).toMatchObject({ id, isTracked: false });
      }
    });

    test('an issue closed as not planned says so', async () => {
      const id = await human().openIssue();
      await human().changeIssue(id, { state: 'closed', state_reason: 'not_planned' });
      expect(await provider.workItemReader.getWorkItem(id)).toMatchObject({
        status: 'closed',
        closedAs: 'not-planned',
      });
    });

    test.each(['999999', '0', '-1', 'abc', '1e3', '', '12345678901234567890'])(
      '[GHP-40] [GHP-43] there is no work item %j: null, and no body',
      async (id) => {
        expect(await provider.workItemReader.getWorkItem(id)).toBeNull();
        await expect(provider.workItemReader.getWorkItemBody(id)).rejects.toMatchObject({
          name: 'ProviderError',
          kind: 'not-found',
        });
      },
    );

    test('the body comes without our own notes, and null is empty', async () => {
      const id = await human().openIssue({ body: 'Text\n\n<!-- decree:blockedBy #1 -->\n<!-- decree:run 3.1 -->' });
      const empty = await human().openIssue();
      expect(await provider.workItemReader.getWorkItemBody(id)).toBe('Text');
      expect(await provider.workItemReader.getWorkItemBody(empty)).toBe('');
    });

    test('[GHP-33] a transition replaces every status label and keeps the rest', async () => {
      const id = await human().openIssue({ labels: ['task:implement', 'status:ready', 'status:blocked', 'ui'] });
      await provider.workItemWriter.transitionStatus(id, 'in-progress');
      expect((await issue(id)).labels.toSorted()).toEqual(['status:in-progress', 'task:implement', 'ui']);
      expect((await issue(id)).state).toBe('open');
      await provider.workItemWriter.transitionStatus(id, 'in-progress');
      expect((await issue(id)).labels.toSorted()).toEqual(['status:in-progress', 'task:implement', 'ui']);
    });

    test('[GHP-34] a transition to closed closes the issue as completed', async () => {
      const id = await human().openIssue({ labels: ['task:implement', 'status:approved'] });
      await provider.workItemWriter.transitionStatus(id, 'closed');
      const closed = await issue(id);
      expect(closed.labels.toSorted()).toEqual(['status:closed', 'task:implement']);
      expect(closed).toMatchObject({ state: 'closed', state_reason: 'completed' });
    });

    test('an item that the plan dropped is closed as not planned', async () => {
      const id = await human().openIssue({ labels: ['task:implement', 'status:ready'] });
      await provider.workItemWriter.closeWorkItem(id, 'not-planned');
      expect(await issue(id)).toMatchObject({ state: 'closed', state_reason: 'not_planned' });
      expect(await provider.workItemReader.getWorkItem(id)).toMatchObject({ closedAs: 'not-planned' });
    });

    test('[GHP-02] [GHP-35] a created item is a task, carries its blockers, and comes back as it is read', async () => {
      const created = await provider.workItemWriter.createWorkItem('New', 'Do it.', ['priority:high'], ['42', '43']);
      const made = await issue(created.id);
      expect(made.body).toBe('Do it.\n\n<!-- decree:blockedBy #42 #43 -->');
      expect(made.labels.toSorted()).toEqual(['priority:high', 'task:implement']);
      expect(created).toMatchObject({ title: 'New', blockedBy: ['42', '43'], priority: 'high', status: 'pending' });
      expect(await provider.workItemReader.getWorkItem(created.id)).toEqual(created);
    });

    test('[GHP-36] without blockers there is no comment about them', async () => {
      const { id } = await provider.workItemWriter.createWorkItem('New', 'Do it.', [], []);
      expect((await issue(id)).body).toBe('Do it.');
    });

    test('a created item is found again by its key, and only by it', async () => {
      const created = await provider.workItemWriter.createWorkItem('Keyed', 'Do it.', [], ['7'], { key: '17.2' });
      expect(await provider.workItemWriter.findWorkItem('17.2')).toEqual(created);
      expect(await provider.workItemWriter.findWorkItem('17.20')).toBeNull();
      expect(await provider.workItemReader.getWorkItemBody(created.id)).toBe('Do it.');
    });

    test('a created item is also found when somebody has closed it or copied its text', async () => {
      const created = await provider.workItemWriter.createWorkItem('Closed', 'Text', [], [], { key: '17.3' });
      await human().openIssue({ body: (await issue(created.id)).body ?? '' });
      await human().changeIssue(created.id, { state: 'closed' });
      expect(await provider.workItemWriter.findWorkItem('17.3')).toMatchObject({ id: created.id, status: 'closed' });
    });

    test("somebody else's text with a key in it is not taken for ours", async () => {
      const id = await human().openIssue({ body: '<!-- decree:run 99.1 -->' });
      expect(await provider.workItemWriter.findWorkItem('99.1')).toBeNull();
      await world.human('POST', `/issues/${id}/comments`, { body: '<!-- decree:run 99.2 -->' });
      expect(await provider.workItemWriter.findWorkItemComment(id, '99.2')).toBeNull();
    });

    test('[GHP-44] a new body keeps blockers and key', async () => {
      const { id } = await provider.workItemWriter.createWorkItem('New', 'Old text', [], ['42'], { key: '18.1' });
      await provider.workItemWriter.updateWorkItem(id, 'New text <!-- decree:blockedBy #666 -->', null);
      expect((await issue(id)).body).toBe('New text\n\n<!-- decree:blockedBy #42 -->\n<!-- decree:run 18.1 -->');
      expect(await provider.workItemReader.getWorkItemBody(id)).toBe('New text');
      expect(await provider.workItemReader.getWorkItem(id)).toMatchObject({ blockedBy: ['42'] });
    });

    test('[GHP-45] no body and no labels: nothing changes', async () => {
      const id = await human().openIssue({ body: 'Text', labels: ['task:implement', 'ui'] });
      const before = await human().issue(id);
      await provider.workItemWriter.updateWorkItem(id, null, null);
      expect(await human().issue(id)).toEqual(before);
    });

    test('[GHP-46] new labels replace the free ones and leave the reserved ones alone', async () => {
      const id = await human().openIssue({ body: 'Text', labels: ['task:implement', 'status:in-progress', 'old'] });
      await provider.workItemWriter.updateWorkItem(id, null, ['new', 'status:closed', 'task:refinement']);
      expect((await issue(id)).labels.toSorted()).toEqual(['new', 'status:in-progress', 'task:implement']);
      expect((await issue(id)).body).toBe('Text');
    });

    test('a comment is posted once and found by its key', async () => {
      const id = await human().openIssue();
      const comment = await provider.workItemWriter.postWorkItemComment(id, 'Needs a human.', { key: '20.1' });
      expect(await provider.workItemWriter.findWorkItemComment(id, '20.1')).toBe(comment);
      expect(await provider.workItemWriter.findWorkItemComment(id, '20.2')).toBeNull();
      await human().changeIssue(id, { state: 'closed' });
      expect(await provider.workItemWriter.findWorkItemComment(id, '20.1')).toBe(comment);
    });

    test('writing to an item that does not exist is a typed error', async () => {
      await expect(provider.workItemWriter.transitionStatus('999999', 'ready')).rejects.toBeInstanceOf(ProviderError);
      await expect(provider.workItemWriter.postWorkItemComment('nope', 'x')).rejects.toMatchObject({
        kind: 'not-found',
      });
    });

    test('a body of 60 KB comes back as it was', async () => {
      const body = 'Ünïcödé 🦊 text. '.repeat(3_500).slice(0, 60_000).trimEnd();
      const { id } = await provider.workItemWriter.createWorkItem('Long', body, [], ['1'], { key: '21.1' });
      expect(await provider.workItemReader.getWorkItemBody(id)).toBe(body);
    });

    test('[ENG-18] [ENG-19] details for display have a body and the names of the labels', async () => {
      const id = await human().openIssue({ title: 'Shown', labels: ['task:implement', 'ui'] });
      const details = await provider.queries.getIssueDetails(Number(id));
      expect(details).toMatchObject({ number: Number(id), title: 'Shown', body: '' });
      expect(details.labels.toSorted()).toEqual(['task:implement', 'ui']);
    });
  });
}

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createHastyClock } from '../contracts/provider-clock.ts';
import { createForgeWorld, type ForgeWorld } from '../contracts/provider-forge-world.ts';
import { people } from '../contracts/provider-world.ts';
import { answer, answerAfterApplying, type Fault } from '../fault-proxy/fault.ts';

let world: ForgeWorld;

beforeAll(async () => {
  world = await createForgeWorld();
});
afterAll(() => world.close());
afterEach(() => world.proxy.reset());

const sent = (method: string, piece: string) =>
  world.proxy.requests.filter((request) => request.method === method && request.path.includes(piece));

describe('reads', () => {
  test('[GHP-52] wait as long as Retry-After says after a 429', async () => {
    const clock = createHastyClock();
    world.proxy.inject('GET /issues', answer(429, { 'retry-after': '11' }), 1);
    await world.provider({ clock }).workItemReader.listWorkItems();
    expect(clock.waits).toEqual([11_000]);
  });

  test('[GHP-53] are sent again up to three times after a 500, with growing waits', async () => {
    const clock = createHastyClock();
    world.proxy.inject('GET /issues', answer(500), 3);
    await world.provider({ clock, random: () => 0 }).workItemReader.listWorkItems();
    expect(clock.waits).toEqual([500, 1_000, 2_000]);
    expect(sent('GET', '/issues')).toHaveLength(4);
  });

  test('[GHP-54] a 404 is not retried', async () => {
    const provider = world.provider();
    await expect(provider.workItemReader.getWorkItemBody('999999')).rejects.toMatchObject({ kind: 'not-found' });
    expect(sent('GET', '/issues/999999')).toHaveLength(1);
  });

  test('[GHP-55] reject when all retries are used up', async () => {
    world.proxy.inject('GET /issues', answer(502));
    await expect(world.provider().workItemReader.listWorkItems()).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'unavailable',
    });
    expect(sent('GET', '/issues')).toHaveLength(4);
  });

  test('survive a dropped connection', async () => {
    world.proxy.inject('GET /issues', { kind: 'drop' }, 2);
    expect(await world.provider().workItemReader.listWorkItems()).toBeInstanceOf(Array);
    expect(sent('GET', '/issues').map(({ status }) => status)).toEqual([null, null, 200]);
  });

  test('a server that never answers is given up on, and asked again', async () => {
    world.proxy.inject('GET /issues', { kind: 'hold', until: new Promise(() => {}) }, 1);
    const provider = world.provider({ requestTimeoutMs: 200 });
    expect(await provider.workItemReader.listWorkItems()).toBeInstanceOf(Array);
  });

  test('a limit of over a minute is reported with its end and not slept', async () => {
    const clock = createHastyClock();
    const reset = Math.floor(clock.now() / 1_000) + 1_800;
    const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    world.proxy.inject('GET /issues', answer(403, headers));
    const provider = world.provider({ clock });
    await expect(provider.workItemReader.listWorkItems()).rejects.toMatchObject({
      kind: 'rate-limited',
      until: reset * 1_000,
    });
    expect(clock.waits).toEqual([]);
    expect(provider.rateLimit()).toEqual({ limit: 5_000, remaining: 0, resetsAt: reset * 1_000 });
    world.proxy.reset();
    await expect(provider.specReader.listSpecs()).rejects.toMatchObject({ kind: 'rate-limited' });
    expect(world.proxy.requests).toEqual([]);
    clock.advance(1_801_000);
    expect(await provider.specReader.listSpecs()).toEqual([]);
  });

  test("the forge's own limit is understood", async () => {
    const small = await createForgeWorld({ rateLimit: 3 });
    try {
      const provider = small.provider();
      const read = async () => {
        for (let n = 0; n < 5; n += 1) await provider.workItemReader.getWorkItemBody('1').catch(ignoreMissing);
      };
      await expect(read()).rejects.toMatchObject({ kind: 'rate-limited', until: expect.any(Number) });
    } finally {
      await small.close();
    }
  });

  test('a stale list is what it is: the item is not there, and by id it is', async () => {
    const provider = world.provider();
    await provider.workItemReader.listWorkItems();
    world.proxy.inject('GET /issues?', { kind: 'stale' });
    const id = await people(world).openIssue();
    const listed = await world.provider().workItemReader.listWorkItems();
    expect(listed.map((item) => item.id)).not.toContain(id);
    expect(await provider.workItemReader.getWorkItem(id)).toMatchObject({ id });
  });

  test('a page that fails makes the whole list fail', async () => {
    for (let n = 0; n < 101; n += 1) await people(world).openIssue({ title: `n${n}` });
    world.proxy.inject('GET page=2', answer(500));
    await expect(world.provider().workItemReader.listWorkItems()).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('revisions', () => {
  test('[GHP-29] CI that cannot be read is unknown, and the list does not fail', async () => {
    const id = await people(world).openPull({ branch: 'unknown-ci' });
    for (const piece of ['/check-runs', '/status']) {
      world.proxy.reset();
      world.proxy.inject(`GET ${piece}`, answer(503));
      const revisions = await world.provider().revisionReader.listRevisions();
      expect(revisions.find((revision) => revision.id === id)).toMatchObject({ id, pipeline: null });
    }
    world.proxy.reset();
    const [known] = await world.provider().revisionReader.listRevisions();
    expect(known?.pipeline?.status).toBe('pending');
  });

  test('reviews that cannot be read make the list fail: nothing is made up', async () => {
    await people(world).openPull({ branch: 'unknown-review' });
    world.proxy.inject('GET /reviews', answer(503));
    await expect(world.provider().revisionReader.listRevisions()).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('specs', () => {
  test('[GHP-58] nothing is fetched while the folder is unchanged, whatever else is committed', async () => {
    await people(world).commit({ 'docs/specs/a.md': '---\nstatus: approved\n---\n', 'docs/specs/b.md': 'x' });
    const provider = world.provider();
    const first = await provider.specReader.readSpecTree();
    expect(sent('GET', '/git/blobs')).toHaveLength(2);
    world.proxy.reset();
    expect(await provider.specReader.readSpecTree()).toEqual(first);
    expect(world.proxy.requests.map(({ status }) => status)).toEqual([304]);
    const head = await people(world).commit({ 'src/other.ts': 'export {};\n' });
    world.proxy.reset();
    expect(await provider.specReader.readSpecTree()).toEqual({ commitSHA: head, specs: first.specs });
    expect(sent('GET', '/git/blobs')).toEqual([]);
  });

  test('only changed files are fetched', async () => {
    await people(world).commit({ 'docs/specs/c.md': 'x', 'docs/specs/d.md': 'y' });
    const provider = world.provider();
    await provider.specReader.listSpecs();
    await people(world).commit({ 'docs/specs/c.md': 'changed' });
    world.proxy.reset();
    await provider.specReader.listSpecs();
    expect(sent('GET', '/git/blobs')).toHaveLength(1);
  });

  test('[GHP-60] one file that cannot be read makes the whole list fail', async () => {
    await people(world).commit({ 'docs/specs/e.md': 'x', 'docs/specs/f.md': 'yy' });
    world.proxy.inject('GET /git/blobs', answer(500));
    const provider = world.provider();
    await expect(provider.specReader.listSpecs()).rejects.toMatchObject({ kind: 'unavailable' });
    world.proxy.reset();
    expect((await provider.specReader.listSpecs()).length).toBeGreaterThanOrEqual(2);
  });

  test('a tree that GitHub cuts off is read folder by folder', async () => {
    await people(world).commit({ 'docs/specs/deep/er/g.md': '---\nstatus: approved\n---\n' });
    const expected = await world.provider().specReader.listSpecs();
    world.proxy.inject(({ path }) => path.includes('recursive'), {
      kind: 'rewrite',
      rewrite: (good) => ({ ...good, body: good.body.replace('"truncated":false', '"truncated":true') }),
    });
    const walked = await world.provider().specReader.listSpecs();
    const paths = (specs: typeof walked) => specs.map(({ filePath }) => filePath).toSorted();
    expect(paths(walked)).toEqual(paths(expected));
    expect(paths(walked)).toContain('docs/specs/deep/er/g.md');
    expect(sent('GET', '/git/trees').length).toBeGreaterThan(5);
  });
});

describe('calls that create something', () => {
  const lostAnswers: [string, Fault][] = [
    ['a 500 after it was done', answerAfterApplying(500)],
    ['a 502 after it was done', answerAfterApplying(502)],
    ['a connection dropped after it was done', { kind: 'drop-after-applying' }],
  ];

  test.each(lostAnswers)(
    'an issue is never made twice: %s is in doubt, and the issue is found by its key',
    async (what, fault) => {
      const provider = world.provider();
      const key = `50.${lostAnswers.findIndex(([name]) => name === what)}`;
      world.proxy.inject('POST /issues', fault, 1);
      const creating = provider.workItemWriter.createWorkItem('Once', 'Body', [], ['1'], { key });
      await expect(creating).rejects.toMatchObject({ kind: 'unavailable', isInDoubt: true });
      expect(sent('POST', '/issues')).toHaveLength(1);
      expect(await provider.workItemWriter.findWorkItem(key)).toMatchObject({ title: 'Once', blockedBy: ['1'] });
    },
  );

  test('what was lost before it was done is not found', async () => {
    const provider = world.provider();
    world.proxy.inject('POST /issues', { kind: 'drop' }, 1);
    const creating = provider.workItemWriter.createWorkItem('Never', 'Body', [], [], { key: '51.1' });
    await expect(creating).rejects.toMatchObject({ isInDoubt: true });
    expect(await provider.workItemWriter.findWorkItem('51.1')).toBeNull();
  });

  test('comments and reviews are in doubt in the same way', async () => {
    const provider = world.provider();
    const id = await people(world).openPull({ branch: 'doubtful' });
    world.proxy.inject('POST /comments', answerAfterApplying(500), 1);
    const comment = provider.workItemWriter.postWorkItemComment(id, 'Hello', { key: '52.1' });
    await expect(comment).rejects.toMatchObject({ isInDoubt: true });
    expect(await provider.workItemWriter.findWorkItemComment(id, '52.1')).toMatch(/^\d+$/);
    world.proxy.inject('POST /reviews', { kind: 'drop-after-applying' }, 1);
    const approval = { verdict: 'approve', summary: 'Good', comments: [] } as const;
    const review = provider.revisionWriter.postReview(id, approval, { key: '52.2' });
    await expect(review).rejects.toMatchObject({ isInDoubt: true });
    expect(await provider.revisionWriter.findReview(id, '52.2')).toMatch(/^\d+$/);
    expect((await provider.revisionReader.getReviewHistory(id)).reviews).toHaveLength(1);
  });

  test('a dismissal is repeated, because it cannot happen twice', async () => {
    const provider = world.provider();
    const id = await people(world).openPull({ branch: 'dismissed-in-doubt' });
    const objection = { verdict: 'needs-changes', summary: 'No', comments: [] } as const;
    const first = await provider.revisionWriter.postReview(id, objection);
    world.proxy.inject('PUT /dismissals', answerAfterApplying(502), 1);
    const second = await provider.revisionWriter.updateReview(id, first, { ...objection, verdict: 'approve' });
    expect((await provider.revisionReader.getReviewHistory(id)).reviews).toMatchObject([
      { id: first, state: 'DISMISSED' },
      { id: second, state: 'APPROVED' },
    ]);
  });

  test.each([429, 403])('a %i for a limit did nothing, so the call is repeated', async (status) => {
    world.proxy.inject('POST /issues', answer(status, { 'retry-after': '1' }), 2);
    const created = await world.provider().workItemWriter.createWorkItem('After the limit', '', [], []);
    expect(created.title).toBe('After the limit');
    expect(sent('POST', '/issues')).toHaveLength(3);
  });

  test('absolute updates are repeated until they are known to be done', async () => {
    const id = await people(world).openIssue({ labels: ['task:implement', 'status:ready'] });
    world.proxy.inject('PATCH /issues', answerAfterApplying(502), 2);
    await world.provider().workItemWriter.transitionStatus(id, 'review');
    expect(sent('PATCH', '/issues')).toHaveLength(3);
    expect(await world.provider().workItemReader.getWorkItem(id)).toMatchObject({ status: 'review' });
  });

  test('a status is one single write', async () => {
    const id = await people(world).openIssue({ labels: ['task:implement', 'status:ready'] });
    await world.provider().workItemWriter.transitionStatus(id, 'closed');
    expect(
      world.proxy.requests.filter(({ method, path }) => method !== 'GET' && path.includes('/issues')),
    ).toHaveLength(1);
  });

  test('a merge whose answer was lost is done once and counts as done', async () => {
    const provider = world.provider();
    const id = await people(world).openPull({ branch: 'merged-in-doubt' });
    const revision = await provider.revisionReader.getRevision(id);
    world.proxy.inject('PUT /merge', { kind: 'drop-after-applying' }, 1);
    await provider.revisionWriter.mergeRevision(id, revision?.headSHA ?? '');
    expect(await provider.revisionReader.getRevision(id)).toMatchObject({ state: 'merged' });
  });

  test('where merge commits are forbidden, the change is merged as one commit', async () => {
    const provider = world.provider();
    const id = await people(world).openPull({ branch: 'squashed' });
    const headSHA = (await provider.revisionReader.getRevision(id))?.headSHA ?? '';
    world.proxy.inject(({ path }) => path.endsWith(`/${world.repo}`), {
      kind: 'rewrite',
      rewrite: (good) => ({
        ...good,
        body: good.body.replace('"allow_merge_commit":true', '"allow_merge_commit":false'),
      }),
    });
    await provider.revisionWriter.mergeRevision(id, headSHA);
    expect(sent('PUT', '/merge').map(({ body }) => JSON.parse(body))).toEqual([
      { sha: headSHA, merge_method: 'squash' },
    ]);
    expect(await provider.revisionReader.getRevision(id)).toMatchObject({ state: 'merged' });
  });

  test('what cannot be merged is refused with the reason', async () => {
    const provider = world.provider();
    const id = await people(world).openPull({ branch: 'conflicting', files: { 'README.md': '# Mine\n' } });
    await people(world).commit({ 'README.md': '# Theirs\n' });
    const revision = await provider.revisionReader.getRevision(id);
    expect(revision?.isMergeable).toBe(false);
    const merging = provider.revisionWriter.mergeRevision(id, revision?.headSHA ?? '');
    await expect(merging).rejects.toMatchObject({ name: 'ProviderError', kind: 'rejected' });
  });
});

function ignoreMissing(error: unknown): void {
  if (error instanceof Error && 'kind' in error && error.kind === 'not-found') return;
  throw error;
}

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGitHubClient } from '../../src/engine/github-provider/github-client/create-github-client.ts';
import type { GitHubProvider } from '../../src/engine/github-provider/types.ts';
import { createHastyClock, type HastyClock } from '../contracts/provider-clock.ts';
import { createForgeWorld, type ForgeWorld } from '../contracts/provider-forge-world.ts';
import { people } from '../contracts/provider-world.ts';

const ISSUES = 200;
const PULLS = 100;

let world: ForgeWorld;
let provider: GitHubProvider;
let clock: HastyClock;

/** 200 issues, 100 pull requests on one green commit, all read once. */
beforeAll(async () => {
  world = await createForgeWorld({ ci: { command: 'true' } });
  clock = createHastyClock();
  provider = world.provider({ clock });
  const human = people(world);
  for (let n = 0; n < ISSUES; n += 1) await human.openIssue({ title: `Issue ${n}` });
  const sha = await human.commit({ 'change.txt': 'x\n' }, 'branch-0');
  for (let n = 1; n < PULLS; n += 1) await world.human('POST', '/git/refs', { ref: `refs/heads/branch-${n}`, sha });
  for (let n = 0; n < PULLS; n += 1) {
    await world.human('POST', '/pulls', {
      title: `Pull ${n}`,
      head: `branch-${n}`,
      base: 'main',
      body: `Closes #${n + 1}`,
    });
  }
  await vi.waitFor(async () => {
    const revisions = await provider.revisionReader.listRevisions();
    if (revisions.some(({ pipeline }) => pipeline?.status !== 'success')) throw new Error('CI is still running');
  }, 30_000);
}, 120_000);
afterAll(() => world.close());
beforeEach(() => world.proxy.reset());

/** What the engine's pollers do in one cycle. */
async function cycle() {
  const [items, revisions] = await Promise.all([
    provider.workItemReader.listWorkItems(),
    provider.revisionReader.listRevisions(),
    provider.specReader.readSpecTree(),
  ]);
  return { items, revisions };
}

const requested = () => world.proxy.requests.map(({ method, path, status }) => `${status} ${method} ${path}`);

describe('200 issues and 100 settled pull requests', () => {
  test('nothing changed: a few requests, all answered "not modified", and the rate limit does not move', async () => {
    await cycle();
    const before = provider.rateLimit();
    world.proxy.reset();
    const { items, revisions } = await cycle();
    expect(items).toHaveLength(ISSUES);
    expect(revisions).toHaveLength(PULLS);
    expect(new Set(world.proxy.requests.map(({ status }) => status))).toEqual(new Set([304]));
    expect(requested().length).toBeLessThanOrEqual(6);
    expect(provider.rateLimit()).toEqual(before);
    expect(before?.limit).toBe(5_000);
  });

  test('one changed pull request costs at most five requests', async () => {
    const changed = (await cycle()).revisions[50];
    await world.human('PATCH', `/pulls/${changed?.id}`, { title: 'Changed' });
    world.proxy.reset();
    const revisions = await provider.revisionReader.listRevisions();
    expect(revisions.find(({ id }) => id === changed?.id)?.title).toBe('Changed');
    expect(requested().length).toBeLessThanOrEqual(5);
  });

  test('a new head is noticed at once', async () => {
    const target = (await cycle()).revisions.find(({ headRef }) => headRef === 'branch-7');
    const sha = await people(world).commit({ 'more.txt': 'x\n' }, 'branch-7', 'branch-7');
    world.proxy.reset();
    const revisions = await provider.revisionReader.listRevisions();
    expect(revisions.find(({ id }) => id === target?.id)).toMatchObject({ headSHA: sha });
    expect(requested().length).toBeLessThanOrEqual(5);
  });

  test('settled pull requests are read again ever more rarely, at no cost and never more than 8 at once', async () => {
    await cycle();
    const before = provider.rateLimit()?.remaining;
    const reads: number[] = [];
    for (const minutes of [2, 3, 3, 40]) {
      clock.advance(minutes * 60_000);
      world.proxy.reset();
      await provider.revisionReader.listRevisions();
      reads.push(world.proxy.requests.filter(({ path }) => path.includes('/check-runs')).length);
      expect(world.proxy.maxConcurrent()).toBeLessThanOrEqual(8);
    }
    expect(reads[0]).toBeGreaterThan(PULLS / 2);
    expect(reads[2]).toBeLessThan(PULLS / 10);
    expect(reads.at(-1)).toBeGreaterThan(PULLS / 2);
    expect((before ?? 0) - (provider.rateLimit()?.remaining ?? 0)).toBeLessThanOrEqual(6);
  });

  test('a cold start reads everything with at most 8 requests at once', async () => {
    const cold = world.provider();
    const revisions = await cold.revisionReader.listRevisions();
    expect(revisions).toHaveLength(PULLS);
    expect(world.proxy.requests.length).toBeGreaterThan(PULLS);
    expect(world.proxy.maxConcurrent()).toBeLessThanOrEqual(8);
    expect(world.proxy.maxConcurrent()).toBeGreaterThan(4);
  });

  test('work items and revisions share the listing of pull requests', async () => {
    await Promise.all([provider.workItemReader.listWorkItems(), provider.revisionReader.listRevisions()]);
    const pages = world.proxy.requests.filter(({ path }) => path.includes('/pulls?')).map(({ path }) => path);
    expect(new Set(pages).size).toBe(pages.length);
    expect(pages).toHaveLength(2);
  });

  test('a listing that began before our own write is not shared with a reader that came after it', async () => {
    const { revisions } = await cycle();
    const id = revisions[3]?.id ?? '';
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.proxy.inject('GET /pulls?', { kind: 'hold', until: held }, 1);
    let isEarlyDone = false;
    const early = provider.revisionReader.listRevisions().finally(() => {
      isEarlyDone = true;
    });
    await provider.revisionWriter.updateBody(id, 'Written meanwhile');
    const late = await provider.revisionReader.listRevisions();
    expect(late.find((each) => each.id === id)?.body).toBe('Written meanwhile');
    expect(isEarlyDone).toBe(false);
    release();
    await early;
  });

  test('250 issues are 250 work items', async () => {
    for (let n = ISSUES; n < 250; n += 1) await people(world).openIssue({ title: `Issue ${n}` });
    const items = await provider.workItemReader.listWorkItems();
    expect(new Set(items.map(({ id }) => id)).size).toBe(250);
  });

  test('an answer that did not change is not parsed again', async () => {
    const { forge, proxy, owner, repo } = world;
    const client = createGitHubClient({ ...forge, baseURL: proxy.url });
    const read = () => client.issues.listForRepo({ owner, repo, per_page: 100 });
    const [first, second] = [await read(), await read()];
    expect(second.data).toBe(first.data);
    expect(second.status).toBe(200);
  });

  test('answers are cached for each token: after a renewal the first read costs, the second does not', async () => {
    const { forge, proxy, owner, repo } = world;
    const client = createGitHubClient({ ...forge, baseURL: proxy.url });
    const read = () => client.issues.listForRepo({ owner, repo, per_page: 100 });
    const statuses = () => proxy.requests.filter(({ method }) => method === 'GET').map(({ status }) => status);
    const first = await read();
    await read();
    expect(statuses()).toEqual([200, 304]);
    client.forgetToken();
    expect((await read()).data).toEqual(first.data);
    expect((await read()).data).toEqual(first.data);
    expect(statuses()).toEqual([200, 304, 200, 304]);
  });
});

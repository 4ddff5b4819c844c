import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/forge/routes.ts';
import { clientOf, createForgeWorld, createSeededWorld, requestToken, things } from './forge-world.ts';
import type { ForgeWorld, Reply } from './forge-world.ts';

let world: ForgeWorld;

beforeAll(async () => {
  world = await createSeededWorld();
});

afterAll(() => world.close());

const remaining = (reply: Reply): number => Number(reply.headers.get('x-ratelimit-remaining'));

describe('conditional requests', () => {
  test('an answer that did not change is a 304 without a body, and free', async () => {
    const first = await world.app('GET', 'issues');
    const etag = first.headers.get('etag') ?? '';
    const second = await world.app('GET', 'issues', undefined, { 'if-none-match': etag });
    expect(second).toMatchObject({ status: 304, body: null });
    expect(second.headers.get('etag')).toBe(etag);
    expect(remaining(second)).toBe(remaining(first));
  });

  test('a changed answer is sent in full, and counted', async () => {
    const first = await world.app('GET', 'issues');
    const created = await world.app('POST', 'issues', { title: 'New' });
    const again = await world.app('GET', 'issues', undefined, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect(again.status).toBe(200);
    expect(remaining(again)).toBe(remaining(created) - 1);
  });

  test('an ETag is worth nothing to another token', async () => {
    const etag = (await world.app('GET', 'issues')).headers.get('etag') ?? '';
    const renewed = clientOf(world.forge, `token ${await requestToken(world.forge)}`);
    expect((await renewed('GET', 'issues', undefined, { 'if-none-match': etag })).status).toBe(200);
  });

  test('every kind of GET carries an ETag', async () => {
    await world.app('POST', 'issues', { title: 'x' });
    for (const path of [
      '',
      'issues',
      'issues/1',
      'pulls',
      'git/ref/heads/main',
      'git/trees/main',
      'contents/README.md',
    ]) {
      const reply = await world.app('GET', path);
      expect([path, reply.status, reply.headers.get('etag')]).toEqual([path, 200, expect.stringMatching(/^W\/"/)]);
    }
  });
});

describe('the rate limit', () => {
  test('is counted down, refuses when it is used up, and starts anew after an hour', async () => {
    let now = Date.now();
    const limited = await createForgeWorld({ rateLimit: 2, now: () => now });
    const { human } = limited;
    const first = await human('GET', '');
    expect(first.headers.get('x-ratelimit-limit')).toBe('2');
    expect(remaining(first)).toBe(1);
    expect(remaining(await human('GET', 'issues/99'))).toBe(0);
    const refused = await human('GET', '');
    expect(refused).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('API rate limit exceeded') },
    });
    expect(remaining(refused)).toBe(0);
    const reset = Number(refused.headers.get('x-ratelimit-reset')) * 1000;
    expect(reset - now).toBeGreaterThan(3_590_000);
    now = reset;
    expect(remaining(await human('GET', ''))).toBe(1);
    await limited.close();
  });

  test('is kept for each kind of caller', async () => {
    const before = remaining(await world.human('GET', ''));
    await world.app('GET', '');
    expect(remaining(await world.human('GET', ''))).toBe(before - 1);
  });
});

describe('pages', () => {
  test('are linked from first to last, keep the other parameters, and hold at most 100 entries', async () => {
    const paged = await createForgeWorld();
    for (let n = 1; n <= 103; n += 1) await paged.app('POST', 'issues', { title: `Issue ${n}`, labels: ['many'] });
    const first = await paged.app('GET', 'issues?labels=many&per_page=500&direction=asc');
    expect(things(first)).toHaveLength(100);
    const link = first.headers.get('link') ?? '';
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '';
    expect(link).toContain('rel="last"');
    expect(next).toContain('labels=many');
    const second = await paged.app('GET', next.replace(paged.forge.url, ''));
    expect(things(second).map((issue) => issue.number)).toEqual([101, 102, 103]);
    expect(second.headers.get('link')).toMatch(/page=1>; rel="prev", <[^>]+page=1>; rel="first"/);
    expect(second.headers.get('link')).not.toContain('rel="next"');
    expect((await paged.app('GET', 'issues?per_page=2&page=1000')).body).toEqual([]);
    expect(things(await paged.app('GET', 'issues'))).toHaveLength(30);
    await paged.close();
  });

  test('a list that fits on one page has no links', async () => {
    expect((await world.app('GET', 'pulls')).headers.get('link')).toBeNull();
  });
});

describe('what is not served', () => {
  test.each([
    ['GET', '/user'],
    ['GET', '/search/issues?q=x'],
    ['POST', '/graphql'],
    ['DELETE', 'git/refs/heads/main'],
    ['GET', 'branches'],
    ['HEAD', 'issues'],
  ])('%s %s is a 501', async (method, path) => {
    expect((await world.human(method, path)).status).toBe(501);
  });

  test('another repository does not exist', async () => {
    expect((await world.human('GET', '/repos/human/other')).status).toBe(404);
    expect((await world.human('GET', '/repos/somebody/project/issues')).status).toBe(404);
  });
});

describe('bad requests', () => {
  test('text that is not JSON is a 400', async () => {
    const reply = await world.app('POST', 'issues', '{"title": ');
    expect(reply).toMatchObject({ status: 400, body: { message: 'Problems parsing JSON' } });
  });

  test('a wrong or missing field is a 422 that names it', async () => {
    const missing = await world.app('POST', 'issues', {});
    expect(missing).toMatchObject({ status: 422, body: { message: 'Validation Failed' } });
    expect(missing.body).toMatchObject({ errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] });
    expect((await world.app('POST', 'issues', { title: 5 })).body).toMatchObject({
      errors: [{ field: 'title', code: 'invalid' }],
    });
    const wrong = await world.app('POST', 'issues', { title: 'x', labels: [5] });
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'labels.0', code: 'invalid' }] } });
    expect((await world.app('POST', 'issues', '[1]')).status).toBe(422);
    expect((await world.app('POST', 'issues', 'null')).status).toBe(422);
  });

  test.each(['issues/0', 'issues/-1', 'issues/1e3', 'issues/99999999999999999999', 'issues/x', 'pulls/1.5'])(
    '%s is a 404',
    async (path) => {
      expect((await world.app('GET', path)).status).toBe(404);
    },
  );

  test('a path that is not properly encoded is a 400', async () => {
    expect((await world.app('GET', 'git/ref/heads%2')).status).toBe(400);
  });

  test('a query with impossible values is a 422, or taken as the default', async () => {
    expect((await world.app('GET', 'issues?state=odd')).status).toBe(422);
    expect((await world.app('GET', 'issues?page=-1&per_page=abc')).status).toBe(200);
  });

  test('none of this was an error of the forge', () => {
    expect(world.errors).toEqual([]);
  });
});

test('each route is served once', () => {
  const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
  expect(new Set(names).size).toBe(names.length);
});

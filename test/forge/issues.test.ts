import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createForgeWorld, numberOf, thing, things } from './forge-world.ts';
import type { ForgeWorld, Reply } from './forge-world.ts';

let world: ForgeWorld;

beforeAll(async () => {
  world = await createForgeWorld();
});

afterAll(() => world.close());

const numbers = (reply: Reply) => things(reply).map((issue) => issue.number);
const labels = (reply: Reply) => things({ ...reply, body: thing(reply)['labels'] }).map((label) => label.name);

describe('an issue', () => {
  test('belongs to whoever made it', async () => {
    const byApp = await world.app('POST', 'issues', { title: 'One', body: 'Text' });
    expect(byApp).toMatchObject({
      status: 201,
      body: {
        title: 'One',
        body: 'Text',
        state: 'open',
        user: { login: 'decree[bot]', type: 'Bot' },
        author_association: 'NONE',
      },
    });
    const byHuman = await world.human('POST', 'issues', { title: 'Two' });
    expect(byHuman.body).toMatchObject({ body: null, user: { login: 'human' }, author_association: 'OWNER' });
  });

  test('keeps text of any kind byte for byte', async () => {
    const title = '😀 "quoted" \\ \0 null <b>';
    const body = `${'x'.repeat(60_000)}\r\n\u2028end`;
    const number = numberOf(await world.app('POST', 'issues', { title, body }));
    expect((await world.app('GET', `issues/${number}`)).body).toMatchObject({ title, body });
  });

  test('is refused when its text is too long or blank', async () => {
    expect((await world.app('POST', 'issues', { title: 'x'.repeat(257) })).status).toBe(422);
    expect((await world.app('POST', 'issues', { title: ' ' })).status).toBe(422);
    expect((await world.app('POST', 'issues', { title: 'x', body: 'x'.repeat(65_537) })).status).toBe(422);
  });

  test('changes only where the update says so', async () => {
    const number = numberOf(await world.app('POST', 'issues', { title: 'Old', body: 'Old', labels: ['a'] }));
    const updated = await world.app('PATCH', `issues/${number}`, { title: 'New' });
    expect(updated).toMatchObject({ status: 200, body: { title: 'New', body: 'Old', labels: [{ name: 'a' }] } });
    expect((await world.app('PATCH', `issues/${number}`, { body: null })).body).toMatchObject({ body: null });
  });

  test('is closed with a reason and a name, and can be opened again', async () => {
    const number = numberOf(await world.app('POST', 'issues', { title: 'x' }));
    const closed = await world.human('PATCH', `issues/${number}`, { state: 'closed' });
    expect(closed.body).toMatchObject({ state: 'closed', state_reason: 'completed', closed_by: { login: 'human' } });
    expect(closed.body).toMatchObject({ closed_at: expect.stringMatching(/^\d{4}-.*:\d\dZ$/) });
    const opened = await world.human('PATCH', `issues/${number}`, { state: 'open' });
    expect(opened.body).toMatchObject({ state: 'open', state_reason: 'reopened', closed_at: null, closed_by: null });
    const dropped = await world.human('PATCH', `issues/${number}`, { state: 'closed', state_reason: 'not_planned' });
    expect(dropped.body).toMatchObject({ state_reason: 'not_planned' });
  });

  test('that does not exist is a 404 in every call', async () => {
    for (const [method, path] of [
      ['GET', 'issues/999'],
      ['PATCH', 'issues/999'],
      ['GET', 'issues/999/comments'],
      ['POST', 'issues/999/labels'],
    ] as const) {
      expect([path, (await world.app(method, path, method === 'GET' ? undefined : {})).status]).toEqual([path, 404]);
    }
  });
});

describe('labels', () => {
  test('come into being when they are first used, whatever their case', async () => {
    const number = numberOf(await world.app('POST', 'issues', { title: 'x', labels: ['Bug', 'bug', 'ui'] }));
    const added = await world.app('POST', `issues/${number}/labels`, { labels: ['UI', 'new one'] });
    expect(things(added).map((label) => label.name)).toEqual(['Bug', 'ui', 'new one']);
  });

  test('are replaced all at once by an update', async () => {
    const number = numberOf(await world.app('POST', 'issues', { title: 'x', labels: ['a', 'b'] }));
    expect(labels(await world.app('PATCH', `issues/${number}`, { labels: ['c', 'b'] }))).toEqual(['c', 'b']);
    expect(labels(await world.app('PATCH', `issues/${number}`, { labels: [] }))).toEqual([]);
  });

  test('are removed one by one; removing one that is not there is a 404', async () => {
    const number = numberOf(await world.app('POST', 'issues', { title: 'x', labels: ['a b/c', 'd'] }));
    const path = `issues/${number}/labels/${encodeURIComponent('a b/c')}`;
    const removed = await world.app('DELETE', path);
    expect(removed.status).toBe(200);
    expect(things(removed).map((label) => label.name)).toEqual(['d']);
    expect(await world.app('DELETE', path)).toMatchObject({ status: 404, body: { message: 'Label does not exist' } });
  });

  test('may be many', async () => {
    const many = Array.from({ length: 500 }, (_, n) => `label ${n}`);
    expect(labels(await world.app('POST', 'issues', { title: 'x', labels: many }))).toEqual(many);
  });
});

describe('lists', () => {
  test('are filtered by state, labels (all of them), and creator, and sorted', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const timed = await createForgeWorld({ now: () => now });
    const { human } = timed;
    const make = async (wish: object): Promise<number> => {
      now += 1_000;
      return numberOf(await human('POST', 'issues', { title: 'x', ...wish }));
    };
    const [one, two, three] = [await make({ labels: ['a', 'b'] }), await make({ labels: ['a'] }), await make({})];
    expect(numbers(await human('GET', 'issues'))).toEqual([three, two, one]);
    expect(numbers(await human('GET', 'issues?direction=asc'))).toEqual([one, two, three]);
    expect(numbers(await human('GET', 'issues?labels=a'))).toEqual([two, one]);
    expect(numbers(await human('GET', 'issues?labels=A,b'))).toEqual([one]);
    expect(numbers(await human('GET', 'issues?creator=decree%5Bbot%5D'))).toEqual([]);
    expect(numbers(await human('GET', 'issues?creator=human'))).toHaveLength(3);
    now += 1_000;
    await human('PATCH', `issues/${one}`, { state: 'closed' });
    expect(numbers(await human('GET', 'issues'))).toEqual([three, two]);
    expect(numbers(await human('GET', 'issues?state=closed'))).toEqual([one]);
    expect(numbers(await human('GET', 'issues?state=all&sort=updated'))).toEqual([one, three, two]);
    await timed.close();
  });
});

describe('comments', () => {
  test('are counted, listed in order and dated', async () => {
    const number = numberOf(await world.app('POST', 'issues', { title: 'x' }));
    await world.app('POST', `issues/${number}/comments`, { body: 'first' });
    const second = await world.human('POST', `issues/${number}/comments`, { body: 'second' });
    expect(second).toMatchObject({ status: 201, body: { user: { login: 'human' }, author_association: 'OWNER' } });
    const list = await world.app('GET', `issues/${number}/comments?per_page=1&page=2`);
    expect(list.body).toMatchObject([{ body: 'second' }]);
    expect((await world.app('GET', `issues/${number}`)).body).toMatchObject({ comments: 2 });
    expect((await world.app('POST', `issues/${number}/comments`, { body: '' })).status).toBe(422);
  });
});

test('many requests at once give each issue its own number', async () => {
  const replies = await Promise.all(Array.from({ length: 40 }, () => world.app('POST', 'issues', { title: 'x' })));
  expect(new Set(replies.map(numberOf)).size).toBe(40);
});

test('nothing above was an error of the forge', () => {
  expect(world.errors).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeededWorld, numberOf, shaOf } from './forge-world.ts';
import type { ForgeWorld } from './forge-world.ts';

let world: ForgeWorld;

beforeAll(async () => {
  world = await createSeededWorld();
});

afterAll(() => world.close());

interface PullWish {
  readonly body?: string;
  readonly base?: string;
  readonly draft?: boolean;
}

async function openPull(branch: string, wish: PullWish = {}): Promise<{ number: number; head: string }> {
  const head = await world.push(branch, { [`${branch}.txt`]: branch }, 'main');
  const number = numberOf(
    await world.app('POST', 'pulls', { title: `Do ${branch}`, head: branch, base: 'main', ...wish }),
  );
  return { number, head };
}

const openIssue = async (): Promise<number> => numberOf(await world.app('POST', 'issues', { title: 'x' }));
const issue = async (number: number) => (await world.app('GET', `issues/${number}`)).body;

async function pullMain(): Promise<void> {
  await world.git('checkout', '--quiet', 'main');
  await world.git('pull', '--quiet', world.forge.gitURL, 'main');
}

describe('merging a pull request', () => {
  test('makes a real merge commit of both sides by whoever merged', async () => {
    const { number, head } = await openPull('real');
    const base = await world.push('main', { 'meanwhile.txt': 'x' });
    const reply = await world.human('PUT', `pulls/${number}/merge`, { sha: head });
    expect(reply).toMatchObject({ status: 200, body: { merged: true } });
    await pullMain();
    const format = ['show', '--no-patch', '--format=%H %P|%an|%cn|%B', 'main'];
    const message = `Merge pull request #${number} from human/real\n\nDo real`;
    expect(await world.git(...format)).toBe(`${shaOf(reply)} ${base} ${head}|human|decree forge|${message}`);
    expect(await world.git('show', 'main:real.txt')).toBe('real');
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({
      state: 'closed',
      merged: true,
      merged_by: { login: 'human' },
      merge_commit_sha: shaOf(reply),
      head: { sha: head },
      base: { sha: base },
      changed_files: 1,
      mergeable: null,
    });
  });

  test('can make one commit of it', async () => {
    const { number } = await openPull('squashed');
    await world.push('squashed', { 'squashed.txt': 'again' });
    const reply = await world.human('PUT', `pulls/${number}/merge`, { merge_method: 'squash' });
    await pullMain();
    expect(await world.git('show', '--no-patch', '--format=%H %s', 'main')).toBe(
      `${shaOf(reply)} Do squashed (#${number})`,
    );
    expect((await world.git('rev-list', '--parents', '-1', 'main')).split(' ')).toHaveLength(2);
    expect(await world.git('show', 'main:squashed.txt')).toBe('again');
  });

  test('is refused with 409 when the head is not the expected one', async () => {
    const { number, head } = await openPull('moved');
    await world.push('moved', { 'moved.txt': 'again' });
    const reply = await world.human('PUT', `pulls/${number}/merge`, { sha: head });
    expect(reply).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Head branch was modified') },
    });
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({ state: 'open' });
  });

  test('is refused with 405 when there is a conflict, and when it is merged, closed or a draft', async () => {
    const conflicting = await openPull('conflict');
    await world.push('main', { 'conflict.txt': 'other' });
    expect((await world.human('PUT', `pulls/${conflicting.number}/merge`)).status).toBe(405);
    const merged = await openPull('merged-once');
    expect((await world.human('PUT', `pulls/${merged.number}/merge`)).status).toBe(200);
    expect((await world.human('PUT', `pulls/${merged.number}/merge`)).status).toBe(405);
    const closed = await openPull('closed');
    await world.app('PATCH', `pulls/${closed.number}`, { state: 'closed' });
    expect((await world.human('PUT', `pulls/${closed.number}/merge`)).status).toBe(405);
    const draft = await openPull('draft', { draft: true });
    expect((await world.human('PUT', `pulls/${draft.number}/merge`)).status).toBe(405);
    expect((await world.app('PATCH', `pulls/${merged.number}`, { state: 'open' })).status).toBe(422);
  });

  test('happens once, however many ask for it at the same time', async () => {
    const pulls = [await openPull('race-one'), await openPull('race-two')];
    const replies = await Promise.all(
      pulls.flatMap(({ number }) => [1, 2, 3].map(() => world.human('PUT', `pulls/${number}/merge`))),
    );
    expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([200, 200, 405, 405, 405, 405]);
    await pullMain();
    expect(await world.git('show', 'main:race-one.txt')).toBe('race-one');
    expect(await world.git('show', 'main:race-two.txt')).toBe('race-two');
  });
});

describe('closing keywords', () => {
  test('in the text close the issues they name, as completed, and no others', async () => {
    const [one, two, quoted, other] = [
      await openIssue(),
      await openIssue(),
      await openIssue(),
      await openPull('bystander'),
    ];
    const body = `Closes #${one}, fixes: human/project#${two}.\n\n\`Closes #${quoted}\`\nresolves #${other.number} #9999`;
    const { number } = await openPull('keywords', { body });
    expect(await issue(one)).toMatchObject({ state: 'open' });
    await world.human('PUT', `pulls/${number}/merge`);
    expect(await issue(one)).toMatchObject({
      state: 'closed',
      state_reason: 'completed',
      closed_by: { login: 'human' },
    });
    expect(await issue(two)).toMatchObject({ state: 'closed' });
    expect(await issue(quoted)).toMatchObject({ state: 'open' });
    expect(await issue(other.number)).toMatchObject({ state: 'open' });
  });

  test('do nothing when the base is not the default branch', async () => {
    await world.git('push', '--quiet', world.forge.gitURL, 'main:refs/heads/release');
    const number = await openIssue();
    const pull = await openPull('to-release', { base: 'release', body: `Closes #${number}` });
    expect((await world.human('PUT', `pulls/${pull.number}/merge`)).status).toBe(200);
    expect(await issue(number)).toMatchObject({ state: 'open' });
  });

  test('do nothing when the pull request is closed without a merge', async () => {
    const number = await openIssue();
    const pull = await openPull('given-up', { body: `Closes #${number}` });
    await world.human('PATCH', `pulls/${pull.number}`, { state: 'closed' });
    expect(await issue(number)).toMatchObject({ state: 'open' });
  });
});

test('a pull request that a human merged with git and pushed is merged', async () => {
  const number = await openIssue();
  const pull = await openPull('by-hand', { body: `Closes #${number}` });
  await pullMain();
  await world.git('merge', '--quiet', '--no-ff', '-m', 'By hand', 'by-hand');
  await world.git('push', '--quiet', world.forge.gitURL, 'main');
  expect((await world.app('GET', `pulls/${pull.number}`)).body).toMatchObject({
    merged: true,
    state: 'closed',
    changed_files: 1,
  });
  expect(await issue(number)).toMatchObject({ state: 'closed' });
});

test('a branch that is pushed together with its merge is merged where it is now', async () => {
  const { number } = await openPull('zz-together');
  await world.git('checkout', '--quiet', 'zz-together');
  await world.git('commit', '--quiet', '--allow-empty', '-m', 'One more');
  const head = await world.git('rev-parse', 'HEAD');
  await pullMain();
  await world.git('merge', '--quiet', '--no-ff', '-m', 'By hand', 'zz-together');
  await world.git('push', '--quiet', world.forge.gitURL, 'main', 'zz-together');
  expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({ merged: true, head: { sha: head } });
});

describe('merging into a branch', () => {
  test('makes a merge commit, then has nothing to do', async () => {
    const head = await world.push('topic', { topic: 'x' }, 'main');
    const base = await world.push('target', { target: 'x' }, 'main');
    const reply = await world.app('POST', 'merges', { base: 'target', head, commit_message: 'Bring it in' });
    expect(reply).toMatchObject({
      status: 201,
      body: { commit: { message: 'Bring it in' }, author: { login: 'decree[bot]' } },
    });
    expect(reply.body).toMatchObject({ parents: [{ sha: base }, { sha: head }] });
    expect((await world.app('GET', 'git/ref/heads/target')).body).toMatchObject({ object: { sha: shaOf(reply) } });
    expect(await world.app('POST', 'merges', { base: 'target', head: 'topic' })).toMatchObject({
      status: 204,
      body: null,
    });
  });

  test('moves the head of a pull request from it', async () => {
    const { number } = await openPull('behind');
    await world.push('main', { ahead: 'x' });
    const reply = await world.app('POST', 'merges', { base: 'behind', head: 'main' });
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({
      head: { sha: shaOf(reply) },
      changed_files: 1,
    });
  });

  test('is a 409 on a conflict and a 404 when either side is unknown', async () => {
    await world.push('left', { both: 'left' }, 'main');
    await world.push('right', { both: 'right' }, 'main');
    const before = (await world.app('GET', 'git/ref/heads/left')).body;
    expect(await world.app('POST', 'merges', { base: 'left', head: 'right' })).toMatchObject({
      status: 409,
      body: { message: 'Merge conflict' },
    });
    expect((await world.app('GET', 'git/ref/heads/left')).body).toEqual(before);
    expect((await world.app('POST', 'merges', { base: 'nowhere', head: 'right' })).status).toBe(404);
    expect((await world.app('POST', 'merges', { base: 'left', head: 'nowhere' })).status).toBe(404);
  });
});

test('nothing above was an error of the forge', () => {
  expect(world.errors).toEqual([]);
});

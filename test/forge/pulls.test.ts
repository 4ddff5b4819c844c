import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeededWorld, numberedLines, numberOf, thing, things } from './forge-world.ts';
import type { ForgeWorld } from './forge-world.ts';

let world: ForgeWorld;

beforeAll(async () => {
  world = await createSeededWorld();
});

afterAll(() => world.close());

async function openPull(branch: string, files: Record<string, string | Buffer | null>): Promise<number> {
  await world.push(branch, files, 'main');
  return numberOf(await world.app('POST', 'pulls', { title: branch, head: branch, base: 'main' }));
}

describe('opening a pull request', () => {
  test('tells everything that git knows about it', async () => {
    const head = await world.push('opened', { 'new.txt': 'a\nb\n' }, 'main');
    const wish = { title: 'Add', body: 'Text', head: 'human:opened', base: 'main', draft: true };
    const reply = await world.app('POST', 'pulls', wish);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      title: 'Add',
      body: 'Text',
      state: 'open',
      draft: true,
      merged: false,
      mergeable: true,
      mergeable_state: 'draft',
      user: { login: 'decree[bot]' },
      head: { ref: 'opened', sha: head, label: 'human:opened', repo: { full_name: 'human/project' } },
      base: { ref: 'main', sha: await world.git('rev-parse', 'main') },
      commits: 1,
      additions: 2,
      deletions: 0,
      changed_files: 1,
    });
  });

  test('is refused when a branch is unknown, there is nothing to merge, or there is one already', async () => {
    const create = (head: string, base = 'main') => world.app('POST', 'pulls', { title: 'x', head, base });
    await world.git('push', '--quiet', world.forge.gitURL, 'main:refs/heads/same');
    await openPull('twice', { x: 'twice' });
    const unknown = await create('nowhere');
    expect(unknown).toMatchObject({
      status: 422,
      body: { errors: [{ resource: 'PullRequest', field: 'head', code: 'invalid' }] },
    });
    expect((await create('other:twice')).status).toBe(422);
    expect((await create('refs/heads/twice^')).status).toBe(422);
    expect(await create('twice', 'nowhere')).toMatchObject({ status: 422, body: { errors: [{ field: 'base' }] } });
    expect((await create('same')).body).toMatchObject({ errors: [{ message: 'No commits between main and same' }] });
    expect((await create('twice')).body).toMatchObject({
      errors: [{ message: 'A pull request already exists for human:twice.' }],
    });
    await world.git('checkout', '--quiet', '--orphan', 'island');
    await world.push('island', { island: 'x' });
    expect((await create('island')).body).toMatchObject({
      errors: [{ message: expect.stringContaining('no history') }],
    });
  });
});

describe('an open pull request', () => {
  test('follows its branch', async () => {
    const number = await openPull('moving', { moving: '1' });
    const before = thing(await world.app('GET', `pulls/${number}`));
    const head = await world.push('moving', { moving: '2' });
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({ head: { sha: head }, commits: 2 });
    const listed = things(await world.app('GET', 'pulls')).find((pull) => pull.number === number);
    expect(listed).toMatchObject({ head: { sha: head } });
    expect(before['head']).not.toMatchObject({ sha: head });
  });

  test('counts as updated when its branch moves, so that readers of the list see it', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const timed = await createSeededWorld({ now: () => now });
    await timed.push('topic', { x: '1' }, 'main');
    await timed.human('POST', 'pulls', { title: 'x', head: 'topic', base: 'main' });
    now += 5_000;
    await timed.push('topic', { x: '2' });
    expect((await timed.human('GET', 'pulls')).body).toMatchObject([{ updated_at: '2030-01-01T00:00:05Z' }]);
    now += 5_000;
    await timed.push('main', { y: '1' });
    expect((await timed.human('GET', 'pulls')).body).toMatchObject([{ updated_at: '2030-01-01T00:00:05Z' }]);
    await timed.close();
  });

  test('says whether it can be merged as both sides move', async () => {
    const number = await openPull('fighting', { 'fight.txt': 'ours\n' });
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({
      mergeable: true,
      mergeable_state: 'clean',
    });
    await world.push('main', { 'fight.txt': 'theirs\n' });
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({
      mergeable: false,
      mergeable_state: 'dirty',
    });
    await world.push('fighting', { 'fight.txt': 'theirs\n' });
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({ mergeable: true });
  });

  test('is an issue too: listed, labelled and commented as one', async () => {
    const number = await openPull('also-an-issue', { also: 'x' });
    await world.app('POST', `issues/${number}/labels`, { labels: ['l'] });
    await world.app('POST', `issues/${number}/comments`, { body: 'c' });
    const issues = things(await world.app('GET', 'issues?per_page=100'));
    expect(issues.find((issue) => issue.number === number)).toMatchObject({ pull_request: { merged_at: null } });
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({ labels: [{ name: 'l' }], comments: 1 });
    const issue = numberOf(await world.app('POST', 'issues', { title: 'only an issue' }));
    expect((await world.app('GET', `pulls/${issue}`)).status).toBe(404);
    expect((await world.app('GET', `issues/${issue}`)).body).not.toHaveProperty('pull_request');
  });

  test('is closed with its branch', async () => {
    const number = await openPull('doomed', { doomed: 'x' });
    const head = await world.git('rev-parse', 'doomed');
    await world.git('push', '--quiet', world.forge.gitURL, '--delete', 'doomed');
    expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({
      state: 'closed',
      merged: false,
      head: { sha: head },
    });
    expect((await world.app('PATCH', `pulls/${number}`, { state: 'open' })).status).toBe(422);
  });
});

test('a closed pull request keeps its head and can be opened again', async () => {
  const number = await openPull('paused', { paused: '1' });
  const head = await world.git('rev-parse', 'paused');
  const closed = await world.app('PATCH', `pulls/${number}`, { state: 'closed', title: 'Paused' });
  expect(closed.body).toMatchObject({ state: 'closed', title: 'Paused', merged: false, mergeable: null });
  const later = await world.push('paused', { paused: '2' });
  expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({ head: { sha: head } });
  expect((await world.app('PATCH', `issues/${number}`, { state: 'open' })).body).toMatchObject({
    state: 'open',
    state_reason: null,
  });
  expect((await world.app('GET', `pulls/${number}`)).body).toMatchObject({ head: { sha: later } });
});

test('lists are filtered by state, head and base', async () => {
  const number = await openPull('listed', { listed: 'x' });
  const numbers = async (query: string) => things(await world.app('GET', `pulls?${query}`)).map((pull) => pull.number);
  expect(await numbers('head=human:listed')).toEqual([number]);
  expect(await numbers('head=other:listed')).toEqual([]);
  expect(await numbers('head=human:listed&base=elsewhere')).toEqual([]);
  await world.app('PATCH', `pulls/${number}`, { state: 'closed' });
  expect(await numbers('head=human:listed')).toEqual([]);
  expect(await numbers('head=human:listed&state=closed')).toEqual([number]);
  expect(await numbers('head=human:listed&state=all')).toEqual([number]);
});

describe('the files of a pull request', () => {
  test('are those that the branch itself changed, whatever happened on the base', async () => {
    const number = await openPull('files', {
      'src/lines.txt': numberedLines(30, { 20: 'changed' }),
      'added.txt': 'new\n',
    });
    await world.push('main', { 'unrelated.txt': 'x' });
    const files = await world.app('GET', `pulls/${number}/files`);
    expect(files.body).toMatchObject([
      { filename: 'added.txt', status: 'added', additions: 1, deletions: 0, changes: 1, patch: '@@ -0,0 +1 @@\n+new' },
      { filename: 'src/lines.txt', status: 'modified', additions: 1, deletions: 1, changes: 2 },
    ]);
    expect(things(files)[1]?.patch).toMatch(/^@@ -17,7 \+17,7 @@ line 16\n line 17\n.*\n-line 20\n\+changed\n/s);
    expect(await world.git('rev-parse', 'files:src/lines.txt')).toBe(things(files)[1]?.sha);
  });

  test('show renames and removals, and no patch for binary, huge and type-changed ones', async () => {
    await world.push('main', {
      'old name.txt': numberedLines(20),
      'gone.txt': 'x\n',
      'ünï"code.txt': 'a\n',
      turns: 'x\n',
    });
    const huge = 'a long line of text that repeats itself\n'.repeat(20_001);
    await world.git('checkout', '--quiet', '-b', 'kinds', 'main');
    await world.git('mv', 'old name.txt', 'new name.txt');
    await world.git('rm', '--quiet', 'turns');
    const { symlink } = await import('node:fs/promises');
    await symlink('README.md', `${world.clone}/turns`);
    const number = await openPull('kinds', {
      'gone.txt': null,
      'image.png': Buffer.from([0, 1, 2, 255]),
      'huge.txt': huge,
      'ünï"code.txt': 'b\rdiff --git a/x b/x\n@@ -1 +1 @@\n',
      'zz.txt': 'last\n',
    });
    const files = things(await world.app('GET', `pulls/${number}/files?per_page=100`));
    const byName = Object.fromEntries(files.map((file) => [file.filename, file]));
    expect(Object.keys(byName).sort()).toEqual(
      ['gone.txt', 'huge.txt', 'image.png', 'new name.txt', 'turns', 'zz.txt', 'ünï"code.txt'].sort(),
    );
    expect(byName['new name.txt']).toMatchObject({ status: 'renamed', previous_filename: 'old name.txt', changes: 0 });
    expect(byName['gone.txt']).toMatchObject({ status: 'removed', patch: '@@ -1 +0,0 @@\n-x' });
    expect(byName['zz.txt']).toMatchObject({ status: 'added', patch: '@@ -0,0 +1 @@\n+last' });
    expect(byName['ünï"code.txt']?.patch).toBe('@@ -1 +1,2 @@\n-a\n+b\rdiff --git a/x b/x\n+@@ -1 +1 @@');
    for (const name of ['image.png', 'huge.txt', 'turns', 'new name.txt'])
      expect(byName[name]).not.toHaveProperty('patch');
    expect(byName['huge.txt']).toMatchObject({ additions: 20_001 });
  });

  test('come in pages', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 35 }, (_, n) => [`many/${String(n).padStart(2, '0')}`, `${n}`]),
    );
    const number = await openPull('many', many);
    const first = await world.app('GET', `pulls/${number}/files`);
    expect(things(first)).toHaveLength(30);
    expect(first.headers.get('link')).toContain('rel="next"');
    expect(things(await world.app('GET', `pulls/${number}/files?page=2`)).map((file) => file.filename)).toEqual(
      Object.keys(many).slice(30),
    );
  });
});

test('nothing above was an error of the forge', () => {
  expect(world.errors).toEqual([]);
});

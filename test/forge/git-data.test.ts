import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGitText } from '../../src/git/run-git.ts';
import { clientOf, createForgeWorld, createSeededWorld, requestToken, shaOf, thing, things } from './forge-world.ts';
import type { ForgeWorld, Reply } from './forge-world.ts';

let world: ForgeWorld;
let main: string;

beforeAll(async () => {
  world = await createSeededWorld();
  main = await world.push('main', { 'run.sh': 'x', 'deep/er/file.txt': 'deep\n', 'deep/other.txt': 'other\n' });
});

afterAll(() => world.close());

/** What git itself finds in the forge's repository. */
const inForge = (...args: string[]) => runGitText(args, { cwd: `${world.dir}/repository.git` });

const tree = (entries: object[], base?: string): Promise<Reply> =>
  world.app('POST', 'git/trees', { tree: entries, ...(base === undefined ? {} : { base_tree: base }) });

async function commitOn(parent: string, entries: object[], message = 'x'): Promise<string> {
  const treeSHA = shaOf(await tree(entries, parent));
  return shaOf(await world.app('POST', 'git/commits', { message, tree: treeSHA, parents: [parent] }));
}

const file = (path: string, content = path, mode = '100644') => ({ path, mode, type: 'blob', content });

describe('blobs', () => {
  test('hold any bytes', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128, 0]);
    const created = await world.app('POST', 'git/blobs', { content: bytes.toString('base64'), encoding: 'base64' });
    expect(created.status).toBe(201);
    const read = thing(await world.app('GET', `git/blobs/${shaOf(created)}`));
    expect(read).toMatchObject({ encoding: 'base64', size: 6 });
    expect(Buffer.from(read.content ?? '', 'base64').equals(bytes)).toBe(true);
  });

  test('are named as git names them, and text is UTF-8', async () => {
    const created = await world.app('POST', 'git/blobs', { content: 'ünï😀\n' });
    expect(shaOf(created)).toBe(await runGitText(['hash-object', '--stdin'], { cwd: world.clone, input: 'ünï😀\n' }));
  });

  test('of many sizes come back whole when they are read at once', async () => {
    const contents = [0, 1, 60, 70_000, 1_000_000].map((size) => 'x'.repeat(size));
    const created = await Promise.all(contents.map((content) => world.app('POST', 'git/blobs', { content })));
    const read = await Promise.all(created.map((reply) => world.app('GET', `git/blobs/${shaOf(reply)}`)));
    expect(read.map((reply) => Buffer.from(thing(reply).content ?? '', 'base64').toString())).toEqual(contents);
  });

  test('that do not exist, or are no blobs, are a 404', async () => {
    for (const name of ['0'.repeat(40), main, 'main', 'x:y', `${main}:README.md`]) {
      expect([name, (await world.app('GET', `git/blobs/${encodeURIComponent(name)}`)).status]).toEqual([name, 404]);
    }
  });
});

describe('trees', () => {
  test('are read flat or to the bottom, by branch, commit or SHA', async () => {
    const flat = thing(await world.app('GET', 'git/trees/main'));
    expect(flat).toMatchObject({ truncated: false, sha: await world.git('rev-parse', 'main^{tree}') });
    const deep = await world.app('GET', `git/trees/${main}?recursive=1`);
    const listed = await world.git('ls-tree', '-r', '-t', '-l', 'main');
    const lines = things({ ...deep, body: thing(deep)['tree'] }).map(
      ({ mode, type, sha, size, path }) => `${mode} ${type} ${sha} ${String(size ?? '-').padStart(7)}\t${path}`,
    );
    expect(lines.join('\n')).toBe(listed);
    expect((await world.app('GET', 'git/trees/nowhere')).status).toBe(404);
  });

  test('are built on another one: files, modes, links, whole folders, removals', async () => {
    const folder = (await inForge('rev-parse', 'main:deep')).trim();
    const entries = [
      file('README.md', 'changed\n'),
      file('run.sh', '#!/bin/sh\n', '100755'),
      file('a/b/c.txt', 'new\n'),
      { ...file('link', 'README.md'), mode: '120000' },
      { path: 'copied', mode: '040000', type: 'tree', sha: folder },
      { path: 'deep/er/file.txt', mode: '100644', type: 'blob', sha: null },
    ];
    const created = await tree(entries, main);
    expect(created.status).toBe(201);
    const listed = await inForge('ls-tree', '-r', shaOf(created));
    expect(listed.split('\n').map((line) => line.replace(/ blob [0-9a-f]+\t/, ' '))).toEqual([
      '100644 README.md',
      '100644 a/b/c.txt',
      '100644 copied/er/file.txt',
      '100644 copied/other.txt',
      '100644 deep/other.txt',
      '120000 link',
      '100755 run.sh',
      '100644 src/lines.txt',
    ]);
  });

  test('without a base hold just what is named', async () => {
    const created = await tree([file('only.txt')]);
    expect(await inForge('ls-tree', '-r', '--name-only', shaOf(created))).toBe('only.txt');
    expect(shaOf(await tree([]))).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
  });

  test('let a file take the place of a folder, and the other way round', async () => {
    const created = await tree([file('deep', 'now a file'), file('README.md/inside.txt')], main);
    const listed = await inForge('ls-tree', '-r', '--name-only', shaOf(created));
    expect(listed.split('\n')).toEqual(['README.md/inside.txt', 'deep', 'run.sh', 'src/lines.txt']);
  });

  test.each([
    ['a path above the root', [file('../x')]],
    ['a path into .git', [file('a/.GIT/config')]],
    ['an absolute path', [file('/x')]],
    ['an empty component', [file('a//b')]],
    ['a mode that does not exist', [file('x', 'x', '100600')]],
    ['content and SHA', [{ ...file('x'), sha: '0'.repeat(40) }]],
    ['text given as a folder', [{ path: 'x', mode: '040000', content: 'x' }]],
    ['neither content nor SHA', [{ path: 'x', mode: '100644', type: 'blob' }]],
    ['an object that does not exist', [{ path: 'x', mode: '100644', sha: '1'.repeat(40) }]],
    ['a folder given as a file', [{ path: 'x', mode: '100644', sha: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' }]],
    ['a removal of what is not there', [{ path: 'absent', mode: '100644', sha: null }]],
    ['a path that is both file and folder', [file('x'), file('x/y')]],
    ['too many files', Array.from({ length: 201 }, (_, n) => file(`${n}`))],
    ['too much text', [file('x', 'x'.repeat(2_700_000))]],
  ])('with %s are refused', async (_, entries) => {
    expect((await tree(entries, main)).status).toBe(422);
  });
});

describe('commits', () => {
  test('without an author are those of the app, committed by the forge', async () => {
    const sha = await commitOn(main, [file('by-app')], 'Subject\n\nBody\n\nTrailer: x');
    expect(await inForge('show', '--no-patch', '--format=%an|%cn|%P|%B', sha)).toBe(
      `decree[bot]|decree forge|${main}|Subject\n\nBody\n\nTrailer: x`,
    );
    expect((await world.app('GET', `git/commits/${sha}`)).body).toMatchObject({
      author: { name: 'decree[bot]' },
      message: 'Subject\n\nBody\n\nTrailer: x',
      parents: [{ sha: main }],
    });
  });

  test('need a tree and parents that exist', async () => {
    const treeSHA = await inForge('rev-parse', 'main^{tree}');
    const create = (wish: object) =>
      world.app('POST', 'git/commits', { message: 'x', tree: treeSHA, parents: [main], ...wish });
    expect((await create({ tree: main })).status).toBe(422);
    expect((await create({ parents: [treeSHA] })).status).toBe(422);
    expect((await create({ parents: ['main'] })).status).toBe(422);
    expect((await create({ message: 'a\0b' })).status).toBe(422);
    expect((await world.app('GET', `git/commits/${treeSHA}`)).status).toBe(404);
  });
});

describe('refs', () => {
  test('are made once', async () => {
    const wish = { ref: 'refs/heads/made/once', sha: main };
    expect(await world.app('POST', 'git/refs', wish)).toMatchObject({
      status: 201,
      body: { ref: wish.ref, object: { sha: main, type: 'commit' } },
    });
    expect(await world.app('POST', 'git/refs', wish)).toMatchObject({
      status: 422,
      body: { message: 'Reference already exists' },
    });
    expect((await world.app('GET', 'git/ref/heads%2Fmade%2Fonce')).body).toMatchObject({ object: { sha: main } });
    expect((await world.app('GET', 'git/ref/heads/made/once')).status).toBe(200);
    expect((await world.app('GET', 'git/ref/heads/made')).status).toBe(404);
  });

  test('are made once, also when many try at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => world.app('POST', 'git/refs', { ref: 'refs/heads/wanted', sha: main })),
    );
    expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([
      201, 422, 422, 422, 422, 422, 422, 422,
    ]);
  });

  test.each([
    'heads/x',
    'refs/heads',
    'refs/heads/a b',
    'refs/heads/a..b',
    'refs/heads/x.lock',
    'refs/heads/-\n',
    'refs/heads/',
  ])('cannot be called %j', async (ref) => {
    expect((await world.app('POST', 'git/refs', { ref, sha: main })).status).toBe(422);
  });

  test('cannot stand above or below another one, nor on what does not exist', async () => {
    await world.app('POST', 'git/refs', { ref: 'refs/heads/stem', sha: main });
    expect((await world.app('POST', 'git/refs', { ref: 'refs/heads/stem/leaf', sha: main })).status).toBe(422);
    expect((await world.app('POST', 'git/refs', { ref: 'refs/heads/y', sha: '1'.repeat(40) })).status).toBe(422);
    const treeSHA = await inForge('rev-parse', 'main^{tree}');
    expect((await world.app('POST', 'git/refs', { ref: 'refs/heads/y', sha: treeSHA })).status).toBe(422);
  });

  test('move forward, and elsewhere only by force', async () => {
    const forward = await commitOn(main, [file('forward')]);
    const aside = await commitOn(main, [file('aside')]);
    await world.app('POST', 'git/refs', { ref: 'refs/heads/moves', sha: main });
    const move = (sha: string, force?: boolean) => world.app('PATCH', 'git/refs/heads/moves', { sha, force });
    expect(await move(forward)).toMatchObject({ status: 200, body: { object: { sha: forward } } });
    expect(await move(aside)).toMatchObject({ status: 422, body: { message: 'Update is not a fast forward' } });
    expect((await world.app('GET', 'git/ref/heads/moves')).body).toMatchObject({ object: { sha: forward } });
    expect((await move(aside, true)).status).toBe(200);
    expect((await world.app('PATCH', 'git/refs/heads/absent', { sha: main })).status).toBe(422);
  });
});

describe('workflow files', () => {
  const workflow = '.github/workflows/ci.yml';

  test('need a permission that the app does not have', async () => {
    expect(await tree([file(workflow)], main)).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
    expect((await tree([file('.github/CODEOWNERS')], main)).status).toBe(201);
    expect((await world.human('POST', 'git/trees', { tree: [file(workflow)], base_tree: main })).status).toBe(201);
  });

  test('cannot be brought in through a commit either, unless they are there already', async () => {
    const treeSHA = shaOf(await world.human('POST', 'git/trees', { tree: [file(workflow)], base_tree: main }));
    const sha = shaOf(await world.human('POST', 'git/commits', { message: 'x', tree: treeSHA, parents: [main] }));
    expect((await world.app('POST', 'git/refs', { ref: 'refs/heads/sneaky', sha })).status).toBe(403);
    expect((await world.human('POST', 'git/refs', { ref: 'refs/heads/proper', sha })).status).toBe(201);
    const next = await commitOn(sha, [file('code.txt')]);
    expect((await world.app('POST', 'git/refs', { ref: 'refs/heads/on-top', sha: next })).status).toBe(201);
  });

  test('are fine with the permission', async () => {
    const trusted = await createSeededWorld({ permissions: { contents: 'write', workflows: 'write' } });
    const app = clientOf(trusted.forge, `token ${await requestToken(trusted.forge)}`);
    expect((await app('POST', 'git/trees', { tree: [file(workflow)] })).status).toBe(201);
    await trusted.close();
  });
});

describe('contents', () => {
  test('are files in base64, and the entries of folders', async () => {
    const read = await world.app('GET', 'contents/deep/er/file.txt');
    expect(read.body).toMatchObject({
      type: 'file',
      encoding: 'base64',
      content: 'ZGVlcAo=',
      path: 'deep/er/file.txt',
      size: 5,
    });
    expect(things(await world.app('GET', 'contents/deep?ref=main')).map(({ name, type }) => [name, type])).toEqual([
      ['er', 'dir'],
      ['other.txt', 'file'],
    ]);
    expect(things(await world.app('GET', 'contents/'))).toHaveLength(4);
    for (const path of ['absent', '..%2Fforge.db', '.%2FREADME.md', 'README.md%0Ainfo%20HEAD', 'README.md/x']) {
      expect([path, (await world.app('GET', `contents/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await world.app('GET', 'contents/README.md?ref=absent')).status).toBe(404);
  });
});

test('a combined status without statuses is pending; an unknown commit is a 422', async () => {
  expect((await world.app('GET', 'commits/main/status')).body).toMatchObject({
    state: 'pending',
    total_count: 0,
    sha: main,
  });
  expect((await world.app('GET', `commits/${'1'.repeat(40)}/status`)).status).toBe(422);
  expect((await world.app('GET', 'commits/absent/check-runs')).status).toBe(422);
  expect((await world.app('GET', 'commits/main/check-runs')).body).toEqual({ total_count: 0, check_runs: [] });
});

test('an empty repository has no git data yet', async () => {
  const empty = await createForgeWorld();
  expect(await empty.app('GET', '')).toMatchObject({
    status: 200,
    body: { default_branch: 'main', full_name: 'human/project' },
  });
  const conflict = { status: 409, body: { message: 'Git Repository is empty.' } };
  expect(await empty.app('GET', 'git/ref/heads/main')).toMatchObject(conflict);
  expect(await empty.app('GET', 'git/trees/main')).toMatchObject(conflict);
  expect(await empty.app('POST', 'git/blobs', { content: 'x' })).toMatchObject(conflict);
  expect((await empty.app('GET', 'contents/README.md')).status).toBe(404);
  await empty.close();
});

test('after all this git finds nothing wrong with the repository', async () => {
  expect(await inForge('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  expect(world.errors).toEqual([]);
});

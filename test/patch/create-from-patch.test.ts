import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { people } from '../contracts/provider-world.ts';
import { changedJSON } from '../fault-proxy/fault.ts';
import { createPublishingWorld, type PublishingWorld } from './publishing-world.ts';
import { createWorkshop, failureOf, snapshot, type Workshop } from './workshop.ts';

let world: PublishingWorld;
let shop: Workshop;

beforeAll(async () => {
  world = await createPublishingWorld();
  shop = createWorkshop(world);
});

afterAll(() => world.close());

beforeEach(() => world.forge.proxy.reset());

const A = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'other\n' };

describe('with the base and the tree that the agent reported', () => {
  test('[GHP-30] a branch and a pull request that closes the work item are made', async () => {
    const made = await shop.work(A, { ...A, 'a.txt': 'one\n2\nthree\n' });
    const revision = await shop.publish(made, 'new-1', { ...made.exact, key: '12.3' });
    expect(revision).toMatchObject({ headRef: 'new-1', title: 'Do it', body: `Closes #${world.workItemID}` });
    await world.pull();
    expect(await shop.tip('new-1')).toBe(revision.headSHA);
    expect(await shop.log('%P %T', revision.headSHA)).toBe(`${made.base} ${made.exact.treeSHA}`);
    expect(await shop.log('%B', revision.headSHA)).toBe(
      `decree: apply patch for #${world.workItemID}\n\nDecree-Run: 12.3`,
    );
    expect(await shop.log('%an', revision.headSHA)).toBe(world.forge.botName);
  });

  test('[GHP-31] an existing branch is moved on and its pull request kept', async () => {
    const first = await shop.work(A, { ...A, 'a.txt': 'first\n' });
    const opened = await shop.publish(first, 'again-1', first.exact);
    await world.pull();
    const second = await shop.workOn(opened.headSHA, { ...A, 'a.txt': 'second\n' });
    const updated = await shop.publish(second, 'again-1', second.exact);
    expect(updated.id).toBe(opened.id);
    await world.pull();
    expect(await shop.log('%P %T', await shop.tip('again-1'))).toBe(`${opened.headSHA} ${second.exact.treeSHA}`);
    expect(updated.headSHA).toBe(await shop.tip('again-1'));
  });

  test('[GHP-32] the revision comes with every field', async () => {
    const made = await shop.work(A, { ...A, 'c.txt': 'new\n' });
    const revision = await shop.publish(made, 'full-1', made.exact);
    expect(revision).toEqual({
      id: expect.stringMatching(/^\d+$/),
      title: 'Do it',
      url: expect.stringContaining(`/pull/${revision.id}`),
      headSHA: expect.stringMatching(/^[0-9a-f]{40}$/),
      headRef: 'full-1',
      author: world.forge.botName,
      body: `Closes #${world.workItemID}`,
      isDraft: false,
      state: 'open',
      workItemID: world.workItemID,
      pipeline: { status: 'pending', url: null, reason: null, checkCount: 0 },
      reviewID: null,
      isMergeable: true,
    });
    const provider = world.forge.provider();
    expect(await provider.revisionReader.getRevision(revision.id)).toEqual(revision);
  });

  test('a tree that is not the promised one is a mismatch, and no ref is touched', async () => {
    const made = await shop.work(A, { ...A, 'a.txt': 'x\n' });
    const treeSHA = 'f'.repeat(40);
    expect(await failureOf(shop.publish(made, 'wrong-1', { ...made.exact, treeSHA }))).toMatchObject({
      kind: 'mismatch',
    });
    expect(shop.writes().filter((request) => /refs|merges|pulls/.test(request))).toEqual([]);
  });

  test('binary files, names with spaces and files that lose everything arrive as they are', async () => {
    const made = await shop.work(
      { 'bin ary': Buffer.from([0, 255, 1]), 'x/y': 'y\n', empty: 'not yet\n' },
      { 'bin ary': Buffer.from([0, 255, 2]), x: 'a file now\n', empty: '' },
    );
    const { headSHA } = await shop.publish(made, 'bytes-1', made.exact);
    expect((await world.readCommit(headSHA)).tree).toBe(made.exact.treeSHA);
  });

  test('renames and modes without content are looked up in the base, also where its listing is cut', async () => {
    const before = { 'deep/er/run.sh': 'x\n', other: 'o\n' };
    const made = await shop.work(before, { 'deep/moved.sh': 'x\n', other: 'o\n' });
    const patch = await world.diff(
      made.base,
      await world.commit(snapshot({ 'deep/moved.sh': 'x\n', other: 'o\n' }), made.base),
      '--find-renames',
    );
    world.forge.proxy.inject(
      (request) => request.path.includes('recursive='),
      changedJSON((tree) => ({ ...Object(tree), tree: [], truncated: true })),
    );
    const { headSHA } = await shop.publish({ ...made, patch }, 'rename-1', made.exact);
    expect((await world.readCommit(headSHA)).tree).toBe(made.exact.treeSHA);
  });
});

describe('at what price', () => {
  test('500 changed text files take at most 12 requests, in calls that the forge can bear', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `src/folder ${index % 7}/file-${index}.ts`);
    const files = (text: string) => Object.fromEntries(names.map((name) => [name, `${name}\n${text}\n`.repeat(50)]));
    const made = await shop.work(files('old'), files('new'));
    const provider = world.forge.provider();
    world.forge.proxy.reset();
    const revision = await provider.revisionWriter.createFromPatch(world.workItemID, made.patch, 'many-1', made.exact);
    expect((await world.readCommit(revision.headSHA)).tree).toBe(made.exact.treeSHA);
    expect(shop.requests().length).toBeLessThanOrEqual(12);
    const trees = world.forge.proxy.requests.filter(({ path }) => path.endsWith('/git/trees'));
    expect(trees).toHaveLength(5);
  });

  test('large texts are spread over calls of at most 1 MiB', async () => {
    const text = (letter: string) => `${letter.repeat(99)}\n`.repeat(4_000);
    const files = { 'a.txt': text('a'), 'b.txt': text('b'), 'c.txt': text('c'), 'huge.txt': text('h').repeat(4) };
    const made = await shop.work({ x: 'x' }, { x: 'x', ...files });
    const revision = await shop.publish(made, 'large-1', made.exact);
    expect((await world.readCommit(revision.headSHA)).tree).toBe(made.exact.treeSHA);
    const sizes = world.forge.proxy.requests
      .filter(({ path }) => path.endsWith('/git/trees'))
      .map(({ body }) => body.length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024 + 32_000);
  });
});

describe('called again', () => {
  test('under the same key nothing is made twice, even if somebody has built on it since', async () => {
    const made = await shop.work(A, { ...A, 'a.txt': 'mine\n' });
    const options = { ...made.exact, key: '77.1' };
    const revision = await shop.publish(made, 'twice-1', options);
    world.forge.proxy.reset();
    expect(await shop.publish(made, 'twice-1', options)).toMatchObject({ id: revision.id, headSHA: revision.headSHA });
    expect(shop.writes()).toEqual([]);
    const theirs = await people(world.forge).commit({ 'a.txt': 'theirs\n' }, 'twice-1', 'twice-1');
    expect(await shop.publish(made, 'twice-1', options)).toMatchObject({ id: revision.id, headSHA: theirs });
    expect(shop.writes()).toEqual([]);
  });

  test.each(['POST /git/blobs', 'POST /git/trees', 'POST /git/commits', 'POST /git/refs', 'POST /pulls'])(
    'after the answer to %s was lost, there is one commit and one pull request',
    async (request) => {
      const branch = `lost-${request.split('/').at(-1)}`;
      const made = await shop.work(A, { ...A, 'a.txt': `${branch}\n`, bin: Buffer.from([0, 1]) });
      const options = { ...made.exact, key: `${branch}.1` };
      const [method = '', path = ''] = request.split(' ');
      world.forge.proxy.inject(
        (sent) => sent.method === method && sent.path.endsWith(path),
        { kind: 'drop-after-applying' },
        1,
      );
      const revision = await shop.publish(made, branch, options).catch(() => shop.publish(made, branch, options));
      await world.pull();
      expect(await world.git('rev-list', '--count', `${made.base}..refs/remotes/origin/${branch}`)).toBe('1');
      expect(await shop.log('%T', await shop.tip(branch))).toBe(made.exact.treeSHA);
      const { revisionReader } = world.forge.provider();
      const open = (await revisionReader.listRevisions()).filter(({ headRef }) => headRef === branch);
      expect(open.map(({ id }) => id)).toEqual([revision.id]);
    },
  );

  test('a pull request that exists but is not listed yet leaves the call in doubt, not failed', async () => {
    const made = await shop.work(A, { ...A, 'a.txt': 'lag\n' });
    const options = { ...made.exact, key: '9.9' };
    const revision = await shop.publish(made, 'lagging', options);
    world.forge.proxy.inject(
      (sent) => sent.method === 'GET' && sent.path.includes('/pulls?'),
      changedJSON(() => []),
    );
    await expect(shop.publish(made, 'lagging', options)).rejects.toMatchObject({ kind: 'unavailable' });
    world.forge.proxy.reset();
    const { revisionWriter } = world.forge.provider();
    const again = await revisionWriter.createFromPatch(world.workItemID, made.patch, 'lagging', options);
    expect(again.id).toBe(revision.id);
  });

  test('after the answers to a fast-forward and a merge were lost, there is one of each', async () => {
    const first = await shop.work(A, { ...A, 'a.txt': 'first\n' });
    const { headSHA } = await shop.publish(first, 'lost-moves', first.exact);
    await world.pull();
    const second = await shop.workOn(headSHA, { ...A, 'a.txt': 'second\n' });
    world.forge.proxy.inject((sent) => sent.method === 'PATCH', { kind: 'drop-after-applying' }, 1);
    const moved = await shop.publish(second, 'lost-moves', { ...second.exact, key: '1.1' });
    await people(world.forge).commit({ 'c.txt': 'theirs\n' }, 'lost-moves', 'lost-moves');
    await world.pull();
    const third = await shop.workOn(moved.headSHA, { ...A, 'a.txt': 'third\n' });
    world.forge.proxy.inject((sent) => sent.path.endsWith('/merges'), { kind: 'drop-after-applying' }, 1);
    const merged = await shop.publish(third, 'lost-moves', { ...third.exact, key: '2.1' });
    await world.pull();
    expect(
      await world.git('log', '--format=%s', '--first-parent', `${first.base}..${await shop.tip('lost-moves')}`),
    ).toBe(
      [
        'Merge the patch into lost-moves',
        'A change',
        `decree: apply patch for #${world.workItemID}`,
        `decree: apply patch for #${world.workItemID}`,
      ].join('\n'),
    );
    expect(merged.headSHA).toBe(await shop.tip('lost-moves'));
    expect(await world.git('show', `${merged.headSHA}:a.txt`)).toBe('third');
    expect(await world.git('show', `${merged.headSHA}:c.txt`)).toBe('theirs');
  });
});

describe('while others work', () => {
  test('a conflict on the branch names its paths, and the branch stays as it was', async () => {
    const made = await shop.workInWorktree(A, { ...A, 'a.txt': 'mine\n', 'c.txt': 'new\n' });
    await world.push({ 'clash-1': made.base });
    const theirs = await people(world.forge).commit({ 'a.txt': 'theirs\n' }, 'clash-1', 'clash-1');
    expect(await failureOf(shop.publish(made, 'clash-1', made.exact))).toMatchObject({
      kind: 'conflict',
      paths: ['a.txt'],
    });
    await world.pull();
    expect(await shop.tip('clash-1')).toBe(theirs);
  });

  test('without a clone to look at, a conflict names all paths of the patch', async () => {
    const made = await shop.work(A, { ...A, 'a.txt': 'mine\n', 'c.txt': 'new\n' });
    await world.push({ 'clash-2': made.base });
    await people(world.forge).commit({ 'a.txt': 'theirs\n' }, 'clash-2', 'clash-2');
    const { revisionWriter } = world.forge.provider();
    const publishing = revisionWriter.createFromPatch(world.workItemID, made.patch, 'clash-2', made.exact);
    expect(await failureOf(publishing)).toMatchObject({ kind: 'conflict', paths: ['a.txt', 'c.txt'] });
  });

  test('a default branch that moved without a conflict is left alone', async () => {
    const made = await shop.work(A, { ...A, 'a.txt': 'mine\n' });
    await people(world.forge).commit({ 'b.txt': 'theirs\n' });
    const revision = await shop.publish(made, 'moved-1', made.exact);
    expect(revision.isMergeable).toBe(true);
    expect(await world.readCommit(revision.headSHA)).toEqual({ tree: made.exact.treeSHA, parents: [made.base] });
    expect(await shop.shown('moved-1')).toMatch(/^:.*\ta\.txt$/);
  });

  test('work that was merged with the default branch gets both parents, and others answer for their part of it', async () => {
    const first = await shop.work(A, { ...A, 'a.txt': 'mine\n' });
    const opened = await shop.publish(first, 'merged-1', first.exact);
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n';
    const theirs = { 'a.txt': 'theirs\n', 'secret/b': 'protected\n', lfs: pointer };
    const mergeSHA = await people(world.forge).commit(theirs);
    await world.pull();
    const resolved = await shop.workOn(opened.headSHA, { ...A, ...theirs, 'a.txt': 'mine and theirs\n' });
    const { revisionWriter } = world.forge.provider({ protectedPaths: ['secret'] });
    const options = { ...resolved.exact, mergeSHA, key: '5.5' };
    const revision = await revisionWriter.createFromPatch(world.workItemID, resolved.patch, 'merged-1', options);
    expect(revision).toMatchObject({ id: opened.id, isMergeable: true });
    expect(await world.readCommit(revision.headSHA)).toEqual({
      tree: resolved.exact.treeSHA,
      parents: [opened.headSHA, mergeSHA],
    });
    expect(await shop.shown('merged-1')).toMatch(/^:.*\ta\.txt$/);
    const touched = await shop.workOn(opened.headSHA, { ...A, ...theirs, 'secret/b': 'mine\n' });
    const touching = revisionWriter.createFromPatch(world.workItemID, touched.patch, 'merged-1', {
      ...touched.exact,
      mergeSHA,
    });
    expect(await failureOf(touching)).toMatchObject({ kind: 'refused', paths: ['secret/b'] });
  });

  test('a merge that was settled in favour of its own side is published, though it changes no file', async () => {
    const first = await shop.work(A, { ...A, 'a.txt': 'mine\n' });
    const opened = await shop.publish(first, 'merged-2', first.exact);
    const mergeSHA = await people(world.forge).commit({ 'a.txt': 'theirs\n' });
    const exact = { baseSHA: opened.headSHA, treeSHA: first.exact.treeSHA };
    const merge = { ...first, patch: '' };
    const revision = await shop.publish(merge, 'merged-2', { ...exact, mergeSHA, key: '5.6' });
    expect(revision).toMatchObject({ id: opened.id, isMergeable: true });
    const parents = [opened.headSHA, mergeSHA];
    expect(await world.readCommit(revision.headSHA)).toEqual({ tree: exact.treeSHA, parents });
    expect(await failureOf(shop.publish(merge, 'merged-2', exact))).toMatchObject({ kind: 'malformed' });
  });

  test('a default branch that collides with the pull request is a conflict with its paths', async () => {
    const made = await shop.work(A, { ...A, 'a.txt': 'mine\n' });
    await people(world.forge).commit({ 'a.txt': 'theirs\n', 'b.txt': 'theirs\n' });
    expect(await failureOf(shop.publish(made, 'moved-2', made.exact))).toMatchObject({
      kind: 'conflict',
      paths: ['a.txt'],
    });
  });
});

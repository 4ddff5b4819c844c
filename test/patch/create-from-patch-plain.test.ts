import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { people } from '../contracts/provider-world.ts';
import { createPublishingWorld, type PublishingWorld } from './publishing-world.ts';
import { createWorkshop, failureOf, snapshot, type Files, type Workshop } from './workshop.ts';

let world: PublishingWorld;
let shop: Workshop;

beforeAll(async () => {
  world = await createPublishingWorld();
  shop = createWorkshop(world);
});

afterAll(() => world.close());

beforeEach(() => world.forge.proxy.reset());

const A = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'other\n' };

describe('without base and tree (the plain call)', () => {
  test('[GHP-30] [GHP-31] [GHP-32] the patch goes onto the default branch; the next one replaces it', async () => {
    const first = await shop.work(A, { ...A, 'a.txt': 'first\n', 'c.txt': 'c\n' });
    const opened = await shop.publish(first, 'plain-1');
    expect(opened).toMatchObject({ state: 'open', workItemID: world.workItemID, headRef: 'plain-1' });
    const second = await shop.workOn(first.base, { ...A, 'a.txt': 'second\n' });
    const updated = await shop.publish(second, 'plain-1');
    expect(updated.id).toBe(opened.id);
    expect(await world.readCommit(updated.headSHA)).toEqual({ tree: second.exact.treeSHA, parents: [opened.headSHA] });
    expect(await shop.publish(second, 'plain-1')).toMatchObject({ headSHA: updated.headSHA });
  });

  test('a pull request shows its own change only, after the default branch has moved between two calls', async () => {
    const first = await shop.work(A, { ...A, 'a.txt': 'first\n' });
    await shop.publish(first, 'plain-2');
    const moved = await people(world.forge).commit({ 'b.txt': 'theirs\n' });
    await world.pull();
    const second = await shop.workOn(moved, { 'a.txt': 'second\n', 'b.txt': 'theirs\n' });
    const { headSHA } = await shop.publish(second, 'plain-2');
    expect((await world.readCommit(headSHA)).tree).toBe(second.exact.treeSHA);
    expect(await shop.shown('plain-2')).toMatch(/^:.*\ta\.txt$/);
  });

  test('commits of people on the branch are kept', async () => {
    const first = await shop.work(A, { ...A, 'a.txt': 'first\n' });
    await shop.publish(first, 'plain-3');
    await people(world.forge).commit({ 'theirs.txt': 'theirs\n' }, 'plain-3', 'plain-3');
    const second = await shop.workOn(first.base, { ...A, 'a.txt': 'first\n', 'c.txt': 'more\n' });
    const { headSHA } = await shop.publish(second, 'plain-3');
    await world.pull();
    expect(await world.git('ls-tree', '--name-only', headSHA)).toBe('a.txt\nb.txt\nc.txt\ntheirs.txt');
  });

  test.each([
    ['changed', { 'a.txt': 'changed\n', 'b.txt': 'other\n' }],
    ['changed far from our lines', { 'a.txt': `${'0\n'.repeat(20)}one\ntwo\nthree\n`, 'b.txt': 'other\n' }],
    ['deleted', { 'b.txt': 'other\n' }],
    ['turned into a folder', { 'a.txt/x': 'x\n', 'b.txt': 'other\n' }],
  ])('a file that others have %s is a conflict, and nothing is written', async (_, theirs: Files) => {
    const made = await shop.work(A, { ...A, 'a.txt': 'one\n2\nthree\n' });
    await world.push({ main: await world.commit(snapshot(theirs), made.base) });
    expect(await failureOf(shop.publish(made, 'plain-4'))).toMatchObject({ kind: 'conflict', paths: ['a.txt'] });
    expect(shop.writes()).toEqual([]);
  });

  test('a new file in the place of a folder of others is a conflict, and nothing is written', async () => {
    const made = await shop.work(A, { ...A, docs: 'a file\n' });
    await world.push({ main: await world.commit(snapshot({ ...A, 'docs/x': 'x\n' }), made.base) });
    expect(await failureOf(shop.publish(made, 'plain-5'))).toMatchObject({ kind: 'conflict', paths: ['docs'] });
    expect(shop.writes()).toEqual([]);
  });

  test('a patch with a few lines of context is enough', async () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${index}\n`);
    const made = await shop.work({ 'a.txt': text.join('') }, { 'a.txt': text.with(250, 'changed\n').join('') });
    const patch = await world.diff(made.base, made.exact.treeSHA, '--unified=3');
    const { headSHA } = await shop.publish({ ...made, patch }, 'plain-6');
    expect((await world.readCommit(headSHA)).tree).toBe(made.exact.treeSHA);
  });

  test('a pull request for the same work item on another branch is left alone', async () => {
    const other = await people(world.forge).openPull({ branch: 'someone', body: `Closes #${world.workItemID}` });
    const made = await shop.work(A, { ...A, 'a.txt': 'mine\n' });
    expect((await shop.publish(made, 'plain-7')).id).not.toBe(other);
  });
});

describe('refused before anything is written', () => {
  const creation = (path: string, content = 'x', mode = '100644') =>
    `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${content}\n`;

  test.each([
    ['a submodule', 'refused', creation('sub', `Subproject commit ${'1'.repeat(40)}`, '160000')],
    ['a workflow, without the permission for it', 'refused', creation('.github/workflows/ci.yml')],
    ['a path outside', 'malformed', creation('../x')],
    ["git's own folder", 'malformed', creation('.git/config')],
    ['an absolute path', 'malformed', creation('/etc/passwd')],
    ['no patch at all', 'malformed', 'Sorry, I could not do it.'],
    ['nothing', 'malformed', ''],
  ])('%s', async (_, kind, patch) => {
    expect(await failureOf(world.writer.createFromPatch(world.workItemID, patch, 'never'))).toMatchObject({ kind });
    expect(shop.writes()).toEqual([]);
  });

  test('a patch that would go straight to the default branch', async () => {
    const publishing = world.writer.createFromPatch(world.workItemID, creation('x'), 'main');
    expect(await failureOf(publishing)).toMatchObject({ kind: 'refused' });
    expect(shop.writes()).toEqual([]);
  });

  test('a protected path, also when it is moved away', async () => {
    const { revisionWriter } = world.forge.provider({ protectedPaths: ['infra', '**/*.lock', 'docs/*/secret?.md'] });
    const rename = 'diff --git a/infra/x b/y\nsimilarity index 100%\nrename from infra/x\nrename to y\n';
    const patches = [creation('infra/.hidden/x'), creation('deep/yarn.lock'), creation('docs/a/secret1.md'), rename];
    for (const patch of patches) {
      const error = await failureOf(revisionWriter.createFromPatch(world.workItemID, patch, 'never'));
      expect(error).toMatchObject({ kind: 'refused' });
      expect(error.paths).toHaveLength(1);
    }
    expect(shop.writes()).toEqual([]);
  });

  test('a workflow is published where the app may do that', async () => {
    const permissions = {
      contents: 'write',
      issues: 'write',
      pull_requests: 'write',
      workflows: 'write',
      metadata: 'read',
    } as const;
    const other = await createPublishingWorld({ permissions });
    try {
      const patch = creation('.github/workflows/ci.yml');
      const revision = await other.writer.createFromPatch(other.workItemID, patch, 'ci');
      expect(revision.headRef).toBe('ci');
    } finally {
      await other.close();
    }
  });
});

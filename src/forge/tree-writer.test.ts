import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGit, runGitText } from '../git/run-git.ts';
import { createObjectDatabase } from './object-database.ts';
import type { ObjectDatabase } from './object-database.ts';
import { writeTree } from './tree-writer.ts';

let folder: string;
let objects: ObjectDatabase;
let blob: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decree-trees-'));
  await runGit(['init', '--quiet', '--bare', '.'], { cwd: folder });
  objects = createObjectDatabase(folder);
  blob = await objects.write('blob', Buffer.from('x'));
});

afterAll(async () => {
  await objects.close();
  await rm(folder, { recursive: true });
});

/** The same changes through git's own index. */
async function writeWithGit(paths: readonly { path: string; mode: string }[]): Promise<string> {
  const env = { GIT_INDEX_FILE: join(folder, `index-${crypto.randomUUID()}`) };
  const lines = paths.map(({ path, mode }) => `${mode} ${blob}\t${path}\0`).join('');
  await runGit(['update-index', '-z', '--index-info'], { cwd: folder, env, input: lines });
  const tree = await runGitText(['write-tree'], { cwd: folder, env });
  await rm(env.GIT_INDEX_FILE, { force: true });
  return tree;
}

/** Names that sort differently as files and as folders, and outside ASCII. */
const name = fc.constantFrom('a', 'a.b', 'a-b', 'a0', 'B', 'ü', '😀', 'a b');
const mode = fc.constantFrom('100644', '100755', '120000');
const files = fc.dictionary(
  fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  mode,
  { minKeys: 1, maxKeys: 12 },
);

const latin1 = (path: string): string => Buffer.from(path).toString('latin1');

test('trees are what git would have written, also when they are built in steps', async () => {
  await fc.assert(
    fc.asyncProperty(files, files, async (first, second) => {
      const entries = Object.entries(first);
      const isFolder = (path: string): boolean => entries.some(([other]) => other.startsWith(`${path}/`));
      const old = entries.filter(([path]) => !isFolder(path)).map(([path, fileMode]) => ({ path, mode: fileMode }));
      const write = (base: string | null, list: typeof old) =>
        writeTree(
          objects,
          base,
          list.map((file) => ({ path: latin1(file.path), entry: { mode: file.mode, sha: blob } })),
        );
      const base = await write(null, old);
      expect(base).toBe(await writeWithGit(old));

      // One at a time on top of each other, as clients send chunks; what is in the way goes.
      let tree = base;
      let expected = old;
      for (const [path, fileMode] of Object.entries(second)) {
        const added = { path, mode: fileMode };
        tree = await write(tree, [added]);
        const isInTheWay = (other: string): boolean =>
          other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`);
        expected = [...expected.filter((file) => !isInTheWay(file.path)), added];
      }
      expect(tree).toBe(await writeWithGit(expected));
    }),
    { numRuns: 15 },
  );
});

test('removing everything leaves nothing, not even empty folders', async () => {
  const changes = ['a/b/c', 'd'].map((path) => ({ path, entry: { mode: '100644', sha: blob } }));
  const tree = await writeTree(objects, null, changes);
  const without = await writeTree(objects, tree, [{ path: 'a/b/c', entry: null }]);
  expect(await runGitText(['ls-tree', '-r', '-t', '--name-only', without ?? ''], { cwd: folder })).toBe('d');
  expect(await writeTree(objects, without, [{ path: 'd', entry: null }])).toBeNull();
});

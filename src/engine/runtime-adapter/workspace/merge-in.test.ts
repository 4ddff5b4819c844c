import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createRuntimeAdapterFixture,
  makeTemplate,
  type RuntimeAdapterFixture,
} from '../../../../test/contracts/runtime-adapter-fixture.ts';
import type { PatchArtifact } from '../../../domain/agent-result.ts';
import { runGit, runGitText } from '../../../git/run-git.ts';
import { createWorkspaces } from './create-workspaces.ts';
import type { Workspace } from './workspace.ts';

let template: string;
let fixture: RuntimeAdapterFixture;
let workspace: Workspace | null;

beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => rm(template, { recursive: true }));
beforeEach(async () => {
  fixture = await createRuntimeAdapterFixture(template);
  workspace = null;
});
afterEach(async () => {
  await workspace?.close({ saveWork: false });
  await fixture.close();
});

const { signal } = new AbortController();

/** Opens the worktree of a run that has to repair `feature/login`; returns its folder. */
async function open(setupCommand: string | false = false): Promise<string> {
  const workspaces = createWorkspaces({ ...fixture.config, setupCommand }, fixture.deps);
  workspace = await workspaces.open(
    {
      role: 'implementor',
      workItemID: '8',
      branchName: 'feature/login',
      start: { from: 'revision', headRef: 'feature/login' },
      repair: { conflictPaths: [] },
      sessionID: 's',
      attempt: 1,
    },
    signal,
  );
  return workspace.folder;
}

async function extract(): Promise<PatchArtifact> {
  const artifact = await workspace?.extract(signal);
  if (artifact === undefined || artifact === null) throw new Error('Nothing was extracted.');
  return artifact;
}

const pathsOf = (patch: string): string[] =>
  (patch.match(/^diff --git .*$/gm) ?? []).map((line) => line.split(' b/')[1] ?? '');

/** The tree that the patch makes of its base. */
async function treeByGit({ patch, baseSHA }: PatchArtifact): Promise<string> {
  const options = { cwd: workspace?.folder ?? '', env: { GIT_INDEX_FILE: join(fixture.remote, 'check') } };
  await runGit(['read-tree', baseSHA], options);
  await runGit(['apply', '--cached', '--whitespace=nowarn'], { ...options, input: patch });
  return runGitText(['write-tree'], options);
}

/** Both branches change README.md in the same place. Returns the head of main. */
async function collide(): Promise<string> {
  await fixture.push('feature/login', 'README.md', '# Sample\n\nOur line.\n');
  return fixture.push('main', 'README.md', '# Sample\n\nTheir line.\n');
}

describe('a revision that collided with the default branch', () => {
  test('gets what can be merged into its files, as a change that is staged', async () => {
    const main = await fixture.push('main', 'theirs.txt', 'theirs\n');
    const folder = await open();
    expect(await readFile(join(folder, 'theirs.txt'), 'utf8')).toBe('theirs\n');
    expect(await runGitText(['status', '--porcelain'], { cwd: folder })).toBe('A  theirs.txt');
    await writeFile(join(folder, 'mine.txt'), 'mine\n');
    const artifact = await extract();
    expect(artifact).toMatchObject({ mergeSHA: main, baseSHA: fixture.featureSHA });
    expect(pathsOf(artifact.patch)).toEqual(['mine.txt', 'theirs.txt']);
    expect(await treeByGit(artifact)).toBe(artifact.treeSHA);
  });

  test('that merges cleanly is a result even if the agent has nothing to add', async () => {
    const main = await fixture.push('main', 'theirs.txt', 'theirs\n');
    await open();
    const artifact = await extract();
    expect(artifact.mergeSHA).toBe(main);
    expect(pathsOf(artifact.patch)).toEqual(['theirs.txt']);
  });

  test('that holds the default branch already has nothing merged into it', async () => {
    const folder = await open();
    expect(await runGitText(['status', '--porcelain'], { cwd: folder })).toBe('');
    await writeFile(join(folder, 'mine.txt'), 'mine\n');
    const artifact = await extract();
    expect(artifact).not.toHaveProperty('mergeSHA');
    expect(pathsOf(artifact.patch)).toEqual(['mine.txt']);
  });

  test('shows both sides of a conflict, and is a result once that is settled', async () => {
    const main = await collide();
    const folder = await open();
    const both = await readFile(join(folder, 'README.md'), 'utf8');
    expect(both).toMatch(/^<{7} [^]*Our line\.[^]*={7}[^]*Their line\.[^]*>{7} /m);
    await writeFile(join(folder, 'README.md'), '# Sample\n\nOur line and theirs.\n');
    const artifact = await extract();
    expect(artifact.mergeSHA).toBe(main);
    expect(artifact.patch).toContain('+Our line and theirs.');
    expect(await treeByGit(artifact)).toBe(artifact.treeSHA);
  });

  test.for([
    ['both markers', (text: string) => text],
    ['the first marker', (text: string) => text.replace(/^(?:=|>).*\n/gm, '')],
    ['the last marker', (text: string) => text.replace(/^(?:<|=).*\n/gm, '')],
  ] as const)('is no result as long as %s can be seen', async ([, change]) => {
    await collide();
    const folder = await open();
    await writeFile(join(folder, 'README.md'), change(await readFile(join(folder, 'README.md'), 'utf8')));
    await expect(extract()).rejects.toThrow('left conflicts unresolved in README.md');
  });

  test('may hold text about conflict markers', async () => {
    await collide();
    const folder = await open();
    await writeFile(join(folder, 'README.md'), '# Sample\n\n<<<<<<< HEAD\nA lesson in merging.\n>>>>>>> topic\n');
    expect((await extract()).patch).toContain('+A lesson in merging.');
  });

  test('settles a conflict by deleting the file, too', async () => {
    await collide();
    const folder = await open();
    await rm(join(folder, 'README.md'));
    expect((await extract()).patch).toContain('deleted file mode');
  });

  test('is a result also where everything was settled in favour of its own side', async () => {
    const main = await collide();
    const folder = await open();
    await writeFile(join(folder, 'README.md'), '# Sample\n\nOur line.\n');
    const artifact = await extract();
    const treeSHA = await fixture.inRemote('rev-parse', 'feature/login^{tree}');
    expect(artifact).toMatchObject({ patch: '', mergeSHA: main, treeSHA });
  });

  describe('with a file that cannot show both sides', () => {
    const versions = async (name: string) => {
      const ours = `${name}~${await fixture.inRemote('rev-parse', 'feature/login')}`;
      return { ours, theirs: `${name}~${await fixture.inRemote('rev-parse', 'main')}` };
    };
    const move = (folder: string, from: string, to: string) => runGit(['mv', from, to], { cwd: folder });

    test('has both versions of a binary file put aside, and is no result while one of them is there', async () => {
      await fixture.push('feature/login', 'logo.bin', 'ours\0\n');
      const main = await fixture.push('main', 'logo.bin', 'theirs\0\n');
      const folder = await open();
      const { ours, theirs } = await versions('logo.bin');
      expect(workspace?.conflicts).toEqual([ours, theirs]);
      await expect(readFile(join(folder, 'logo.bin'))).rejects.toThrow('ENOENT');
      expect(await readFile(join(folder, ours), 'utf8')).toBe('ours\0\n');
      await expect(extract()).rejects.toThrow(`left conflicts unresolved in ${ours}, ${theirs}`);
      await move(folder, theirs, 'logo.bin');
      await expect(extract()).rejects.toThrow(`left conflicts unresolved in ${ours}`);
      await runGit(['rm', '--quiet', '-f', ours], { cwd: folder });
      const artifact = await extract();
      expect(artifact.mergeSHA).toBe(main);
      expect(pathsOf(artifact.patch)).toEqual(['logo.bin']);
      expect(await treeByGit(artifact)).toBe(artifact.treeSHA);
    });

    test('has what is left of a file that the other side deleted put aside: kept or deleted, but not overlooked', async () => {
      await fixture.push('feature/login', 'README.md', '# Sample\n\nOur line.\n');
      await deleteOnMain('README.md');
      const folder = await open();
      const { ours } = await versions('README.md');
      expect(workspace?.conflicts).toEqual([ours]);
      await expect(extract()).rejects.toThrow('left conflicts unresolved in README.md~');
      await move(folder, ours, 'README.md');
      expect((await extract()).patch).toBe('');
      await runGit(['rm', '--quiet', '-f', 'README.md'], { cwd: folder });
      const artifact = await extract();
      expect(pathsOf(artifact.patch)).toEqual(['README.md']);
      expect(await treeByGit(artifact)).toBe(artifact.treeSHA);
    });

    test('has both targets of a link put aside, also if they lead nowhere', async () => {
      await pushLink('feature/login', 'link', 'ours');
      await pushLink('main', 'link', 'theirs');
      const folder = await open();
      const { ours, theirs } = await versions('link');
      expect(workspace?.conflicts).toEqual([ours, theirs]);
      await expect(extract()).rejects.toThrow('left conflicts unresolved in link~');
      await rm(join(folder, ours));
      await rm(join(folder, theirs));
      expect(pathsOf((await extract()).patch)).toEqual(['link']);
    });

    test('has a file that both sides renamed put aside under both names', async () => {
      await rename('feature/login', 'README.md', 'OURS.md');
      await rename('main', 'README.md', 'THEIRS.md');
      await open();
      expect(workspace?.conflicts).toEqual([(await versions('OURS.md')).ours, (await versions('THEIRS.md')).theirs]);
    });

    test('is not started on a submodule that both sides moved', async () => {
      await commitTo('feature/login', Buffer.from(`160000 ${'1'.repeat(40)}\tvendor\0`));
      await commitTo('main', Buffer.from(`160000 ${'2'.repeat(40)}\tvendor\0`));
      await expect(open()).rejects.toThrow('both sides moved the submodule vendor; merge the default branch');
    });
  });

  test('is no result as long as a file lies where git put it aside for a folder', async () => {
    await fixture.push('feature/login', 'place', 'a file\n');
    await fixture.push('main', 'place/inner.txt', 'a folder\n');
    const folder = await open();
    const aside = `place~${await fixture.inRemote('rev-parse', 'feature/login')}`;
    expect(await readFile(join(folder, aside), 'utf8')).toBe('a file\n');
    await expect(extract()).rejects.toThrow('left conflicts unresolved in place~');
    await rm(join(folder, aside));
    expect(pathsOf((await extract()).patch)).toEqual(['place', 'place/inner.txt']);
  });

  test('has its names checked byte for byte', async () => {
    const name = Buffer.from('na\xefve.txt', 'latin1');
    for (const [branch, content] of [
      ['feature/login', 'ours\n'],
      ['main', 'theirs\n'],
    ] as const) {
      await pushBytes(branch, name, content);
    }
    await open();
    await expect(extract()).rejects.toThrow('left conflicts unresolved');
  });

  test('is set up after the merge, and what set-up did is left out', async () => {
    const main = await fixture.push('main', 'theirs.txt', 'theirs\n');
    const folder = await open('cp theirs.txt installed.txt; echo set-up >> README.md');
    expect(await readFile(join(folder, 'installed.txt'), 'utf8')).toBe('theirs\n');
    await writeFile(join(folder, 'mine.txt'), 'mine\n');
    const artifact = await extract();
    expect(artifact.mergeSHA).toBe(main);
    expect(pathsOf(artifact.patch)).toEqual(['mine.txt', 'theirs.txt']);
    expect(await treeByGit(artifact)).toBe(artifact.treeSHA);
  });

  test('saves its work when it fails, and nothing if the agent did nothing', async () => {
    await fixture.push('main', 'theirs.txt', 'theirs\n');
    await open();
    expect(await workspace?.close({ saveWork: true })).toBeNull();
    const folder = await open();
    await writeFile(join(folder, 'mine.txt'), 'mine\n');
    expect(await workspace?.close({ saveWork: true })).toBe('refs/decree/runs/s');
    workspace = null;
    expect(await fixture.inClone('ls-tree', '--name-only', 'refs/decree/runs/s')).toMatch(/mine\.txt\n[^]*theirs\.txt/);
  });
});

function deleteOnMain(path: string): Promise<string> {
  return commitTo('main', Buffer.from(`0 ${'0'.repeat(40)}\t${path}\0`));
}

async function pushLink(branch: string, name: string, target: string): Promise<void> {
  const blob = await runGitText(['hash-object', '-w', '--stdin'], { cwd: fixture.remote, input: target });
  await commitTo(branch, Buffer.from(`120000 ${blob}\t${name}\0`));
}

async function rename(branch: string, from: string, to: string): Promise<void> {
  const blob = await fixture.inRemote('rev-parse', `${branch}:${from}`);
  await commitTo(branch, Buffer.from([`0 ${'0'.repeat(40)}\t${from}\0`, `100644 ${blob}\t${to}\0`].join('')));
}

async function pushBytes(branch: string, name: Buffer, content: string): Promise<void> {
  const blob = await runGitText(['hash-object', '-w', '--stdin'], { cwd: fixture.remote, input: content });
  await commitTo(branch, Buffer.concat([Buffer.from(`100644 ${blob}\t`), name, Buffer.from('\0')]));
}

/** Commits one entry of an index to a branch of the forge. */
async function commitTo(branch: string, input: Buffer): Promise<string> {
  const options = {
    cwd: fixture.remote,
    env: { GIT_INDEX_FILE: join(fixture.remote, `index-${crypto.randomUUID()}`) },
  };
  await runGit(['read-tree', branch], options);
  await runGit(['update-index', '-z', '--index-info'], { ...options, input });
  const tree = await runGitText(['write-tree'], options);
  const commit = await fixture.inRemote('commit-tree', tree, '-p', branch, '-m', 'Change');
  await fixture.inRemote('update-ref', `refs/heads/${branch}`, commit);
  return commit;
}

import { chmod, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RuntimeAdapterFixture } from '../../../../test/contracts/runtime-adapter-fixture.ts';
import { createRuntimeAdapterFixture, makeTemplate } from '../../../../test/contracts/runtime-adapter-fixture.ts';
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
afterAll(() => rm(template, { recursive: true, force: true }));
beforeEach(async () => {
  fixture = await createRuntimeAdapterFixture(template);
  workspace = null;
});
afterEach(async () => {
  await workspace?.close({ saveWork: false });
  await fixture.close();
});

const signal = new AbortController().signal;

/** Opens a worktree of the default branch; returns its folder. */
async function open(setupCommand: string | false = false): Promise<string> {
  const { config, deps } = fixture;
  const start = { from: 'default-branch' } as const;
  const params = { workItemID: '7', branchName: 'issue-7-1', start, repair: null, sessionID: 's', attempt: 1 } as const;
  workspace = await createWorkspaces({ ...config, setupCommand }, deps).open(
    { role: 'implementor', ...params },
    signal,
  );
  return workspace.folder;
}

async function extract(): Promise<PatchArtifact> {
  const artifact = await workspace?.extract(signal);
  if (artifact === undefined || artifact === null) throw new Error('Nothing was extracted.');
  return artifact;
}

/** Git as the agent would call it. */
const git = (...args: string[]): Promise<string> => runGitText(args, { cwd: workspace?.folder ?? '' });

async function write(path: string, content: string | Buffer): Promise<void> {
  const target = join(workspace?.folder ?? '', path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}

const pathsOf = (patch: string): string[] =>
  [...patch.matchAll(/^diff --git .* b\/(.*)$/gm)].map(([, path]) => path ?? '');

/** What the agent's own `git add --all` would make of its folder. */
async function treeByAgent(): Promise<string> {
  await git('add', '--all');
  return git('write-tree');
}

/** Applies a patch with git, in an index of its own, and returns the tree. */
async function treeByGit({ patch, baseSHA }: PatchArtifact): Promise<string> {
  const options = { cwd: workspace?.folder ?? '', env: { GIT_INDEX_FILE: join(fixture.remote, 'check') } };
  await runGit(['read-tree', baseSHA], options);
  await runGit(['apply', '--cached', '--whitespace=nowarn'], { ...options, input: patch });
  return runGitText(['write-tree'], options);
}

describe('what is part of the work', () => {
  test('committed, staged, changed and new files are; ignored files are not', async () => {
    const folder = await open();
    await write('committed.txt', 'committed\n');
    await git('add', 'committed.txt');
    await git('commit', '--quiet', '-m', 'Mine');
    await write('staged.txt', 'staged\n');
    await git('add', 'staged.txt');
    await write('README.md', 'changed\n');
    await write('new folder/new.txt', 'new\n');
    await write('node_modules/x.js', 'ignored\n');
    await rm(join(folder, 'docs'), { recursive: true });
    const artifact = await extract();
    expect(pathsOf(artifact.patch).toSorted()).toEqual(
      ['README.md', 'committed.txt', 'docs/specs/login.md', 'new folder/new.txt', 'staged.txt'].toSorted(),
    );
    expect(artifact).toMatchObject({ baseSHA: fixture.mainSHA, treeSHA: await treeByAgent() });
    expect(await treeByGit(artifact)).toBe(artifact.treeSHA);
  });

  test('an ignored file counts if the agent added it all the same', async () => {
    await open();
    await write('node_modules/patched.js', 'x\n');
    await git('add', '--force', 'node_modules/patched.js');
    expect(pathsOf((await extract()).patch)).toEqual(['node_modules/patched.js']);
  });

  test('modes, links and empty files are', async () => {
    const folder = await open();
    await chmod(join(folder, 'README.md'), 0o755);
    await symlink('README.md', join(folder, 'link'));
    await write('empty', '');
    const artifact = await extract();
    expect(artifact.patch).toContain('old mode 100644\nnew mode 100755\n');
    expect(artifact.patch).toContain('new file mode 120000\n');
    expect(await treeByGit(artifact)).toBe(await treeByAgent());
  });

  test('no change is nothing, and so is a change that was taken back', async () => {
    await open();
    expect(await workspace?.extract(signal)).toBeNull();
    const before = await readFile(join(workspace?.folder ?? '', 'README.md'));
    await write('README.md', 'changed\n');
    await git('commit', '--quiet', '--all', '-m', 'Mine');
    await write('README.md', before);
    expect(await workspace?.extract(signal)).toBeNull();
  });

  test.each(['--assume-unchanged', '--skip-worktree'])('a change cannot be hidden with %s', async (flag) => {
    await open();
    await git('update-index', flag, 'README.md');
    await write('README.md', 'hidden\n');
    expect((await extract()).patch).toContain('+hidden');
  });

  test('files that a sparse checkout takes away are not deleted', async () => {
    const folder = await open();
    await git('sparse-checkout', 'set', '--no-cone', '/README.md');
    expect(await readdir(folder)).not.toContain('docs');
    expect(await workspace?.extract(signal)).toBeNull();
    await write('README.md', 'changed\n');
    expect(pathsOf((await extract()).patch)).toEqual(['README.md']);
  });

  test('submodules that are not checked out are no change', async () => {
    const commit = `160000,${fixture.mainSHA},sub`;
    const env = { GIT_INDEX_FILE: join(fixture.remote, 'with-sub') };
    const inRemote = (...args: string[]) => runGitText(args, { cwd: fixture.remote, env });
    await inRemote('read-tree', 'main');
    await inRemote('update-index', '--add', '--cacheinfo', commit);
    const made = await fixture.inRemote('commit-tree', await inRemote('write-tree'), '-p', 'main', '-m', 'Sub');
    await fixture.inRemote('update-ref', 'refs/heads/main', made);
    await open();
    expect(await workspace?.extract(signal)).toBeNull();
    await write('work.txt', 'work\n');
    expect(pathsOf((await extract()).patch)).toEqual(['work.txt']);
  });

  test('an unfinished merge, a half-added file and a broken index do no harm', async () => {
    const folder = await open();
    await git('checkout', '--quiet', '-b', 'side');
    await write('README.md', 'side\n');
    await git('commit', '--quiet', '--all', '-m', 'Side');
    await git('checkout', '--quiet', 'issue-7-1');
    await write('README.md', 'ours\n');
    await git('commit', '--quiet', '--all', '-m', 'Ours');
    await git('merge', 'side').catch(() => undefined);
    await write('later.txt', 'later\n');
    await git('add', '--intent-to-add', 'later.txt');
    const artifact = await extract();
    expect(artifact.patch).toContain('+<<<<<<< HEAD');
    expect(artifact.patch).toContain('+later');
    await writeFile(await git('rev-parse', '--path-format=absolute', '--git-path', 'index'), 'broken');
    expect((await extract()).treeSHA).toBe(artifact.treeSHA);
    expect(await readdir(folder)).toContain('later.txt');
  });

  test("the worktree's own index and files stay as they are", async () => {
    await open();
    await write('new.txt', 'new\n');
    const indexFile = await git('rev-parse', '--path-format=absolute', '--git-path', 'index');
    const before = await readFile(indexFile);
    await extract();
    expect((await readFile(indexFile)).equals(before)).toBe(true);
    expect(await git('status', '--porcelain')).toBe('?? new.txt');
    expect(await readdir(join(fixture.checkout, '.decree/repo.git'))).not.toContainEqual(
      expect.stringMatching(/^(?:index|diff)-/),
    );
  });
});

describe('what set-up did', () => {
  test('is left out where the agent did not touch it', async () => {
    await open('echo changed >> README.md; echo new > made.txt; rm .gitignore; mkdir gen; echo 1 > gen/a');
    expect(await workspace?.extract(signal)).toBeNull();
    await write('work.txt', 'work\n');
    await write('gen/b', '2\n');
    const artifact = await extract();
    expect(pathsOf(artifact.patch)).toEqual(['gen/b', 'work.txt']);
    expect(await treeByGit(artifact)).toBe(artifact.treeSHA);
  });

  test('is left out even if the agent committed it', async () => {
    await open('echo new > made.txt');
    await write('work.txt', 'work\n');
    await git('add', '--all');
    await git('commit', '--quiet', '-m', 'Everything');
    expect(pathsOf((await extract()).patch)).toEqual(['work.txt']);
  });

  test('is part of the work where the agent changed it further, and gone where the agent undid it', async () => {
    const folder = await open('echo new > made.txt; echo new > undone.txt; echo changed > README.md');
    await write('made.txt', 'new\nmore\n');
    await rm(join(folder, 'undone.txt'));
    const artifact = await extract();
    expect(pathsOf(artifact.patch)).toEqual(['made.txt']);
    expect(artifact.patch).toContain('+new\n+more\n');
  });
});

describe('how the patch looks', () => {
  test('it is UTF-8: text in another encoding is written as binary, whatever its name', async () => {
    await open();
    const names = ['latin [1]*?.txt', 'quo"te \\ .txt', 'ünï.txt', '!x', '#y', 'tab\there', `${'long/'.repeat(45)}x`];
    for (const name of names) await write(name, Buffer.from('caf\xe9\n', 'latin1'));
    await write('latin 1.txt', 'a neighbour in UTF-8: é\n');
    const artifact = await extract();
    expect(artifact.patch.match(/^GIT binary patch$/gm)).toHaveLength(names.length);
    expect(artifact.patch).toContain('+a neighbour in UTF-8: é\n');
    expect(artifact.patch).not.toContain('\ufffd');
    expect(await treeByGit(artifact)).toBe(await treeByAgent());
  });

  test('names too long to be marked one by one make everything binary', async () => {
    await open();
    await write(`${`${'d'.repeat(250)}/`.repeat(9)}x`, Buffer.from('caf\xe9\n', 'latin1'));
    await write('plain.txt', 'plain\n');
    const artifact = await extract();
    expect(artifact.patch.match(/^GIT binary patch$/gm)).toHaveLength(2);
    expect(await treeByGit(artifact)).toBe(await treeByAgent());
  });

  test('it holds whole files, so that nobody needs the old ones', async () => {
    await fixture.push('main', 'long.txt', 'line\n'.repeat(5_000));
    await open();
    await write('long.txt', `${'line\n'.repeat(2_500)}middle\n${'line\n'.repeat(2_500)}`);
    expect((await extract()).patch).toContain('@@ -1,5000 +1,5001 @@');
  });

  test('renames are written as deletions and creations', async () => {
    const folder = await open();
    await rename(join(folder, 'README.md'), join(folder, 'LIESMICH.md'));
    expect(pathsOf((await extract()).patch)).toEqual(['LIESMICH.md', 'README.md']);
  });

  test('attributes of the repository decide what is stored, as for git itself, but not how it is shown', async () => {
    const rules = [
      '*.md diff=evil',
      'b.txt binary',
      'c.txt -diff',
      'crlf.txt text eol=crlf',
      'u16.txt working-tree-encoding=UTF-16LE',
    ];
    await fixture.push('main', '.gitattributes', `${rules.join('\n')}\n`);
    await open();
    await write('README.md', 'changed\n');
    await write('b.txt', 'text after all\n');
    await write('c.txt', 'text\n');
    await write('crlf.txt', 'one\r\ntwo\r\n');
    await write('u16.txt', Buffer.from('hi\n', 'utf16le'));
    const artifact = await extract();
    expect(artifact.patch).not.toContain('GIT binary patch');
    expect(artifact.patch).toContain('+one\n+two\n');
    expect(artifact.patch).toContain('+hi\n');
    expect(artifact.treeSHA).toBe(await treeByAgent());
  });

  test('files that were never stored as their attributes ask do not become changes', async () => {
    await fixture.push('main', 'windows.txt', 'one\r\ntwo\r\n');
    await fixture.push('main', '.gitattributes', '*.txt text\n');
    await open();
    expect(await workspace?.extract(signal)).toBeNull();
    await write('work.md', 'work\n');
    expect(pathsOf((await extract()).patch)).toEqual(['work.md']);
  });
});

import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRoot } from '../../src/cli/project/find-project.ts';
import { pushDefaultBranch } from '../../src/cli/project/push-default-branch.ts';
import { createScriptedAdapter } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import type { Scenario } from '../../src/engine/runtime-adapter/scripted/scenario.ts';
import { runGit, runGitText } from '../../src/git/run-git.ts';
import {
  createRuntimeAdapterFixture,
  makeTemplate,
  type RuntimeAdapterFixture,
} from '../contracts/runtime-adapter-fixture.ts';

/** Whatever state a person's repository is in, decree works beside it and touches nothing of it. */
let template = '';
let fixture: RuntimeAdapterFixture;
let place: (name: string) => string;
beforeAll(async () => {
  template = await makeTemplate();
  fixture = await createRuntimeAdapterFixture(template);
  place = (name) => path.join(path.dirname(fixture.checkout), name);
});
afterAll(async () => {
  await fixture.close();
  await rm(template, { recursive: true });
});

const PERSON = ['-c', 'user.name=p', '-c', 'user.email=p@example.com', '-c', 'protocol.file.allow=always'];
const git = (cwd: string, ...args: string[]) => runGitText([...PERSON, ...args], { cwd });

/** A clone of the forge. */
async function clone(name: string, ...options: string[]): Promise<string> {
  await git(path.dirname(fixture.checkout), 'clone', '--quiet', ...options, `file://${fixture.remote}`, name);
  return place(name);
}

/** Everything that decree could have touched. */
async function portraitOf(repository: string): Promise<unknown> {
  const inGit = (name: string) => git(repository, 'rev-parse', '--path-format=absolute', '--git-path', name);
  const bytes = async (name: string) =>
    createHash('sha256')
      .update(await readFile(await inGit(name)))
      .digest('hex');
  return {
    status: await git(repository, 'status', '--porcelain=v2', '--branch', '--show-stash', '--untracked-files=all'),
    refs: await git(repository, 'for-each-ref'),
    worktrees: await git(repository, 'worktree', 'list', '--porcelain'),
    files: [await bytes('HEAD'), await bytes('config'), await bytes('index')],
    indexedAt: (await stat(await inGit('index'))).mtimeMs,
    ignores: await readFile(await inGit('info/exclude'), 'utf8').catch(() => null),
  };
}

const SCRIPT: Scenario = {
  runs: [
    {
      role: 'implementor',
      steps: [
        { do: 'write', path: 'made.txt', content: 'made\n' },
        { do: 'run', command: 'git add made.txt && git commit -q -m made' },
        { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: 'done' } },
      ],
    },
  ],
};

let sessions = 0;

async function implementIn(repoRoot: string): Promise<string> {
  const sessionID = `s${++sessions}`;
  const config = { ...fixture.config, repoRoot, setupCommand: false, script: SCRIPT } as const;
  const handle = await createScriptedAdapter(config, fixture.deps).startAgent({
    role: 'implementor',
    workItemID: '7',
    branchName: `issue-7-${sessionID}`,
    start: { from: 'default-branch' },
    repair: null,
    sessionID,
    attempt: 1,
  });
  const result = await handle.result;
  return result.role === 'implementor' ? (result.patch ?? '') : '';
}

const KINDS: Readonly<Record<string, () => Promise<string>>> = {
  detached: async () => {
    const repository = await clone('detached');
    await git(repository, 'checkout', '--quiet', '--detach');
    return repository;
  },
  dirty: async () => {
    const repository = await clone('dirty');
    await appendFile(path.join(repository, 'README.md'), 'stashed\n');
    await git(repository, 'stash', 'push', '--quiet');
    await appendFile(path.join(repository, 'README.md'), 'staged\n');
    await git(repository, 'add', 'README.md');
    await appendFile(path.join(repository, 'README.md'), 'unstaged\n');
    await writeFile(path.join(repository, 'made.txt'), 'mine\n');
    return repository;
  },
  'in the middle of a merge': async () => {
    const repository = await clone('merging');
    await git(repository, 'checkout', '--quiet', '-b', 'other');
    await writeFile(path.join(repository, 'README.md'), 'other\n');
    await git(repository, 'commit', '--quiet', '--all', '--message', 'Other');
    await git(repository, 'checkout', '--quiet', 'main');
    await writeFile(path.join(repository, 'README.md'), 'main\n');
    await git(repository, 'commit', '--quiet', '--all', '--message', 'Main');
    await runGit([...PERSON, 'merge', '--quiet', 'other'], { cwd: repository, exitCodes: [1] });
    return repository;
  },
  shallow: () => clone('shallow', '--depth=1'),
  'with submodules': async () => {
    const repository = await clone('with-submodules');
    await git(repository, 'submodule', '--quiet', 'add', `file://${fixture.remote}`, 'vendor');
    await git(repository, 'commit', '--quiet', '--message', 'Vendor');
    await git(repository, 'push', '--quiet', 'origin', 'main');
    await appendFile(path.join(repository, 'vendor/README.md'), 'dirty\n');
    return repository;
  },
  'a worktree of another': async () => {
    await git(await clone('other'), 'worktree', 'add', '--quiet', '-b', 'mine', place('linked'));
    return place('linked');
  },
  'without a branch that the forge has': async () => {
    const repository = place('unborn');
    await mkdir(repository);
    await git(repository, 'init', '--quiet', '--initial-branch=nothing');
    await writeFile(path.join(repository, 'file.txt'), 'file\n');
    await git(repository, 'add', '--all');
    return repository;
  },
};

describe('a repository', () => {
  test.each(Object.entries(KINDS))('that is %s', async (_, make) => {
    const repository = await make();
    const before = await portraitOf(repository);
    const patch = await implementIn(repository);
    expect(patch.match(/^diff --git .*$/gm)).toEqual(['diff --git a/made.txt b/made.txt']);
    expect(await portraitOf(repository)).toEqual(before);
    await mkdir(path.join(repository, 'deep/inside'), { recursive: true });
    expect(await findRoot(path.join(repository, 'deep/inside'))).toBe(repository);
  });

  test('that is bare has no checkout, and decree says that it needs one', async () => {
    const bare = await clone('bare.git', '--bare');
    const refusal = { message: expect.stringContaining('bare repository'), advice: expect.stringContaining('Clone') };
    await expect(findRoot(bare)).rejects.toMatchObject({ ...refusal, exitCode: 2 });
    await expect(findRoot(path.join(fixture.checkout, '.git'))).rejects.toMatchObject(refusal);
  });

  test('that is shallow is too little for a forge of its own, and decree says what to do', async () => {
    const repository = await clone('half', '--depth=1');
    await git(place(''), 'init', '--quiet', '--bare', 'forge-of-its-own.git');
    // A folder where the embedded forge would be.
    const address = 'http://127.0.0.1:9/';
    await git(repository, 'config', `url.file://${place('forge-of-its-own.git')}.insteadOf`, address);
    const said = await pushDefaultBranch(repository, 'main', address);
    expect(said).toMatch(/shallow.*git fetch --unshallow/);
  });
});

import { access, chmod, mkdir, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RuntimeAdapterFixture } from '../../../../test/contracts/runtime-adapter-fixture.ts';
import { createRuntimeAdapterFixture, makeTemplate } from '../../../../test/contracts/runtime-adapter-fixture.ts';
import { runGitText } from '../../../git/run-git.ts';
import type { ImplementorStartParams } from '../../ports.ts';
import { createWorkspaces } from './create-workspaces.ts';
import { createDecreeClone } from './decree-clone.ts';
import { runCommand } from './run-command.ts';
import type { Workspaces } from './workspace.ts';

let template: string;
let fixture: RuntimeAdapterFixture;
let workspaces: Workspaces;
beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => rm(template, { recursive: true, force: true }));
beforeEach(async () => {
  fixture = await createRuntimeAdapterFixture(template);
  workspaces = createWorkspaces(fixture.config, fixture.deps);
});
afterEach(() => fixture.close());

const signal = new AbortController().signal;

function implementor(branchName = 'issue-7-1', sessionID: string = crypto.randomUUID()): ImplementorStartParams {
  const start = { from: 'default-branch' } as const;
  return { role: 'implementor', sessionID, attempt: 1, workItemID: '7', branchName, start, repair: null };
}

/** What an agent could do in its worktree: git with the clone's settings in force. */
const asAgent = (cwd: string, ...args: string[]): Promise<string> => runGitText(args, { cwd });

test('the forge is asked with the credential, which is not written anywhere', async () => {
  const seen = new Set<string | undefined>();
  const server = createServer((request, response) => {
    seen.add(request.headers.authorization);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const access = { url: `http://127.0.0.1:${port}/x.git`, authorization: 'Basic c2VjcmV0' };
    const deps = { ...fixture.deps, gitAccess: async () => access };
    const opened = createWorkspaces(fixture.config, deps).open(implementor(), signal);
    await expect(opened).rejects.toThrow('git fetch');
    await expect(opened).rejects.not.toThrow('c2VjcmV0');
  } finally {
    server.close();
  }
  expect(seen).toEqual(new Set(['Basic c2VjcmV0']));
  const files = await readdir(join(fixture.checkout, '.decree'), { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toContain('c2VjcmV0');
  }
});

test("decree's folders do not show up in the user's git status", async () => {
  const before = await runGitText(['status', '--porcelain'], { cwd: fixture.checkout });
  const workspace = await workspaces.open(implementor(), signal);
  expect(await runGitText(['status', '--porcelain'], { cwd: fixture.checkout })).toBe(before);
  await workspace.close({ saveWork: false });
  expect(await runGitText(['status', '--porcelain'], { cwd: fixture.checkout })).toBe(before);
});

test("files that the user keeps in decree's folders stay as they are", async () => {
  await mkdir(join(fixture.checkout, '.worktrees'));
  await writeFile(join(fixture.checkout, '.worktrees/.gitignore'), 'mine\n');
  const workspace = await workspaces.open(implementor(), signal);
  await workspace.close({ saveWork: false });
  expect(await readFile(join(fixture.checkout, '.worktrees/.gitignore'), 'utf8')).toBe('mine\n');
});

test('settings that an agent planted in the clone are gone before the engine uses it again', async () => {
  const workspace = await workspaces.open(implementor(), signal);
  const trap = join(fixture.checkout, '.decree/trap.sh');
  const trapped = join(fixture.checkout, '.decree/trapped');
  await writeFile(trap, `#!/bin/sh\ntouch "${trapped}"\ncat\n`);
  await chmod(trap, 0o755);
  for (const name of [
    'core.fsmonitor',
    'filter.evil.clean',
    'filter.evil.smudge',
    'diff.external',
    'core.sshCommand',
  ]) {
    await asAgent(workspace.folder, 'config', name, trap);
  }
  await asAgent(workspace.folder, 'config', 'core.excludesFile', join(fixture.checkout, '.decree/ignore-all'));
  await mkdir(join(fixture.checkout, '.decree/repo.git/info'), { recursive: true });
  await writeFile(join(fixture.checkout, '.decree/repo.git/info/exclude'), '*\n');
  await writeFile(join(fixture.checkout, '.decree/repo.git/info/attributes'), '* filter=evil\n');
  await writeFile(join(workspace.folder, '.gitattributes'), '* filter=evil\n');
  await writeFile(join(workspace.folder, 'new.txt'), 'new\n');
  const artifact = await workspace.extract(signal);
  await workspace.close({ saveWork: true });
  expect(artifact?.patch).toContain('+new');
  await expect(access(trapped)).rejects.toThrow('ENOENT');
});

test('set-up does not get the login of the agent', async () => {
  const agentEnvironment = () => ({ PATH: process.env['PATH'] ?? '', ANTHROPIC_API_KEY: 'login', OTHER: 'other' });
  const config = { ...fixture.config, setupCommand: 'echo "$ANTHROPIC_API_KEY $OTHER" > seen.txt', agentEnvironment };
  const workspace = await createWorkspaces(config, fixture.deps).open(implementor(), signal);
  expect(await readFile(join(workspace.folder, 'seen.txt'), 'utf8')).toBe(' other\n');
  await workspace.close({ saveWork: false });
});

test('an agent cannot lead the clone itself to settings of its own', async () => {
  const workspace = await workspaces.open(implementor(), signal);
  const clone = join(fixture.checkout, '.decree/repo.git');
  const trapped = join(fixture.checkout, '.decree/trapped');
  const evil = join(workspace.folder, 'evil');
  await runGitText(['init', '--quiet', '--bare', evil], { cwd: fixture.checkout });
  await runGitText(['config', 'filter.evil.clean', `sh -c 'touch "${trapped}"; cat'`], { cwd: evil });
  await writeFile(join(evil, 'objects/info/alternates'), `${join(clone, 'objects')}\n`);
  await writeFile(join(workspace.folder, '.gitattributes'), 'new.txt filter=evil\n');
  await writeFile(join(workspace.folder, 'new.txt'), 'new\n');
  // Git reads it in any repository, not only in the folders of worktrees.
  await writeFile(join(clone, 'commondir'), `${evil}\n`);
  const artifact = await workspace.extract(signal);
  expect(artifact?.patch).toContain('+new');
  // Another run that goes on meanwhile could do it right after the settings were put right.
  await writeFile(join(clone, 'commondir'), `${evil}\n`);
  const decrees = createDecreeClone(fixture.checkout, fixture.deps.gitAccess);
  expect(await decrees.text(['config', '--get', 'filter.evil.clean'], { exitCodes: [1] })).toBe('');
  await workspace.close({ saveWork: true });
  await expect(access(trapped)).rejects.toThrow('ENOENT');
});

test('a worktree that an agent has led to another repository still gives its own patch', async () => {
  const workspace = await workspaces.open(implementor(), signal);
  const other = join(fixture.checkout, '.decree/other');
  await runGitText(['init', '--quiet', other], { cwd: fixture.checkout });
  const trapped = join(fixture.checkout, '.decree/trapped');
  await runGitText(['config', 'core.fsmonitor', `touch ${trapped}`], { cwd: other });
  await writeFile(join(workspace.folder, '.git'), `gitdir: ${other}/.git\n`);
  await writeFile(join(workspace.folder, 'new.txt'), 'new\n');
  expect((await workspace.extract(signal))?.baseSHA).toBe(fixture.mainSHA);
  await workspace.close({ saveWork: true });
  await expect(access(trapped)).rejects.toThrow('ENOENT');
  expect(await fixture.leftovers()).toEqual([]);
});

test.for([
  ['switched to a branch of its own', 'git checkout -q -b other && git commit -q --allow-empty -m x'],
  ['left the branch', 'git checkout -q --detach && git commit -q --allow-empty -m x'],
  ['deleted the link to the repository', 'rm .git'],
  ['deleted everything', 'rm -rf .git .gitignore ./*'],
  ['deleted its own folder', 'rm -rf "$PWD"'],
  ['made a repository without commits inside', 'git init -q inner && touch inner/file'],
  ['made a repository inside', 'git init -q inner && cd inner && git commit -q --allow-empty -m x'],
  ['split its index', 'git update-index --split-index'],
  ['broke its index', 'echo x > "$(git rev-parse --git-dir)/index"'],
  ['was killed while committing', 'touch "$(git rev-parse --git-common-dir)/refs/heads/issue-7-1.lock"'],
  ['was killed while adding', 'touch "$(git rev-parse --git-dir)/index.lock"'],
  ['made files nobody can read', 'mkdir -p deep && echo x > deep/x && chmod 000 deep/x && chmod 500 deep'],
] as const)('nothing is left of a run whose agent %s', async ([, command]) => {
  const workspace = await workspaces.open(implementor(), signal);
  const identity = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a; ';
  const env = { PATH: process.env['PATH'] ?? '' };
  const { exitCode, output } = await runCommand(identity + command, { cwd: workspace.folder, env, signal });
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  await workspace.close({ saveWork: true });
  expect(await fixture.leftovers()).toEqual([]);
  const next = await workspaces.open(implementor(), signal);
  expect(await asAgent(next.folder, 'status', '--porcelain')).toBe('');
  await next.close({ saveWork: false });
});

test('the next process saves and removes what a process that died left behind', async () => {
  const interrupted = await workspaces.open(implementor('feature/a', 'interrupted-session'), signal);
  await writeFile(join(interrupted.folder, 'half.txt'), 'half\n');
  const marker = join(fixture.checkout, '.decree/repo.git/worktrees/a/decree-run');
  const text = await readFile(marker, 'utf8');
  await writeFile(marker, text.replace(/"owner":"[^"]+"/, '"owner":"1@1"'));

  const nextProcess = createWorkspaces(fixture.config, fixture.deps);
  const workspace = await nextProcess.open(implementor('feature/b'), signal);
  expect(await readdir(join(fixture.checkout, '.worktrees/feature'))).toEqual(['b']);
  expect(await fixture.inClone('show', 'refs/decree/runs/interrupted-session:half.txt')).toBe('half');
  await workspace.close({ saveWork: false });
  expect(await fixture.leftovers()).toEqual([]);
});

test('and what it was only about to mark as its own', async () => {
  await workspaces.open(implementor('a'), signal);
  await rm(join(fixture.checkout, '.decree/repo.git/worktrees/a/decree-run'));
  await createWorkspaces(fixture.config, fixture.deps).takeOver('session');
  expect(await fixture.leftovers()).toEqual([]);
});

test('what another adapter of this process is working on is left alone', async () => {
  const first = await workspaces.open(implementor('feature/a'), signal);
  const second = await createWorkspaces(fixture.config, fixture.deps).open(implementor('feature/b'), signal);
  await access(join(first.folder, 'README.md'));
  await second.close({ saveWork: false });
  await first.close({ saveWork: false });
  expect(await fixture.leftovers()).toEqual([]);
});

test('a clone that was interrupted while being made, or locked by a git that died, is put right', async () => {
  const clone = join(fixture.checkout, '.decree/repo.git');
  await mkdir(join(clone, 'objects'), { recursive: true });
  for (const name of ['config.lock', 'packed-refs.lock']) {
    await writeFile(join(clone, name), '');
    await utimes(join(clone, name), 1, 1);
  }
  await writeFile(join(clone, 'config'), 'half a sett');
  const workspace = await workspaces.open(implementor(), signal);
  await workspace.close({ saveWork: false });
  expect(await fixture.leftovers()).toEqual([]);
});

test('two runs cannot have the same folder, nor one inside the other', async () => {
  const workspace = await workspaces.open(implementor('feature/a'), signal);
  await expect(workspaces.open(implementor('feature/a'), signal)).rejects.toThrow('another run works in');
  await expect(workspaces.open(implementor('feature/a/b'), signal)).rejects.toThrow('another run works in');
  await expect(workspaces.open(implementor('feature'), signal)).rejects.toThrow('another run works in');
  await workspace.close({ saveWork: false });
  const next = await workspaces.open(implementor('feature'), signal);
  await next.close({ saveWork: false });
});

test('a branch that the forge does not have is named in the error', async () => {
  const start = { from: 'revision', headRef: 'feature/gone' } as const;
  await expect(workspaces.open({ ...implementor(), start }, signal)).rejects.toThrow('no branch "feature/gone"');
});

test('a commit that is on no branch any more is fetched by its id', async () => {
  const orphan = await fixture.push('main', 'rewritten.txt', 'soon gone\n');
  await fixture.inRemote('update-ref', 'refs/heads/main', fixture.mainSHA);
  await fixture.inRemote('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const planner = {
    role: 'planner',
    sessionID: 'p',
    attempt: 1,
    specPaths: [],
    commitSHA: orphan,
    blobSHAs: {},
  } as const;
  const workspace = await workspaces.open(planner, signal);
  expect(await readFile(join(workspace.folder, 'rewritten.txt'), 'utf8')).toBe('soon gone\n');
  await workspace.close({ saveWork: false });
  expect(await fixture.leftovers()).toEqual([]);
});

test('work that cannot be saved is not removed', async () => {
  const params = implementor();
  const workspace = await workspaces.open(params, signal);
  await writeFile(join(workspace.folder, 'half.txt'), 'half\n');
  // A ref where the folder of refs should be.
  await fixture.inClone('update-ref', 'refs/decree/runs', fixture.mainSHA);
  await expect(workspace.close({ saveWork: true })).rejects.toThrow('update-ref');
  expect(await readFile(join(workspace.folder, 'half.txt'), 'utf8')).toBe('half\n');

  await fixture.inClone('update-ref', '-d', 'refs/decree/runs');
  const next = await workspaces.open(implementor(), signal);
  expect(await fixture.inClone('show', `refs/decree/runs/${params.sessionID}:half.txt`)).toBe('half');
  await next.close({ saveWork: false });
});

test.for(['the place itself', 'a link to it'])('a place outside .worktrees is never cleared: %s', async (way) => {
  const interrupted = await workspaces.open(implementor('a', 'interrupted'), signal);
  const precious = join(fixture.checkout, 'precious');
  await mkdir(precious);
  await writeFile(join(precious, 'file.txt'), 'precious\n');
  const link = join(interrupted.folder, 'link');
  await symlink(fixture.checkout, link);
  const admin = join(fixture.checkout, '.decree/repo.git/worktrees/a');
  const place = way === 'a link to it' ? join(link, 'precious') : precious;
  await writeFile(join(admin, 'gitdir'), `${place}/.git\n`);
  const text = await readFile(join(admin, 'decree-run'), 'utf8');
  await writeFile(join(admin, 'decree-run'), text.replace(/"owner":"[^"]+"/, '"owner":"1@1"'));

  const nextProcess = createWorkspaces(fixture.config, fixture.deps);
  await (await nextProcess.open(implementor('b'), signal)).close({ saveWork: false });
  expect(await readFile(join(precious, 'file.txt'), 'utf8')).toBe('precious\n');
});

test('commits of an interrupted run whose folder is gone are kept', async () => {
  const interrupted = await workspaces.open(implementor('a', 'interrupted'), signal);
  await writeFile(join(interrupted.folder, 'done.txt'), 'done\n');
  const env = { PATH: process.env['PATH'] ?? '' };
  await runCommand('git add -A && git commit -q -m done', { cwd: interrupted.folder, env, signal });
  await rm(interrupted.folder, { recursive: true });

  const nextProcess = createWorkspaces(fixture.config, fixture.deps);
  const workspace = await nextProcess.open(implementor('a'), signal);
  expect(await asAgent(workspace.folder, 'rev-parse', 'HEAD')).toBe(fixture.mainSHA);
  expect(await fixture.inClone('show', 'refs/decree/runs/interrupted:done.txt')).toBe('done');
  await workspace.close({ saveWork: false });
  expect(await fixture.leftovers()).toEqual([]);
});

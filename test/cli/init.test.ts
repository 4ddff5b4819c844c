import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitText } from '../git-text.ts';
import { createRepository, decree } from './cli-process.ts';
import type { TestRepository } from './cli-process.ts';

let repository: TestRepository;
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(() => repository.remove());

const run = (...args: string[]) => decree(args, { cwd: repository.folder });
const read = (file: string) => readFile(path.join(repository.folder, file), 'utf8');

test('with an embedded forge everything is there at once: files, labels and the remote', async () => {
  await repository.write('.gitignore', 'node_modules');
  await repository.write('package-lock.json', '{}');
  const { code, stdout } = await run('init', '--yes', '--forge', 'embedded');
  expect(code).toBe(0);
  expect(stdout).toMatch(/labels +20 made/);
  expect(await readdir(path.join(repository.folder, '.claude', 'agents'))).toEqual([
    'implementor.md',
    'planner.md',
    'reviewer.md',
  ]);
  expect(await read('.gitignore')).toBe('node_modules\n.decree/\n.worktrees/\n');
  expect(await read('docs/specs/example.md')).toContain('status: draft');
  expect(await read('decree.config.ts')).toContain("ci: { command: 'npm ci && npm test' }");
  expect(await gitText(repository.folder, 'remote', 'get-url', 'decree')).toMatch(/^http:\/\/human:.*@127\.0\.0\.1:/);

  const doctor = await run('doctor');
  expect(doctor.stdout).toMatch(/configuration +ok/);
  expect(doctor.stdout).toMatch(/labels +ok/);
});

test('a second time nothing is overwritten', async () => {
  await run('init', '--yes', '--forge', 'embedded');
  await repository.write('.claude/agents/planner.md', '---\ndescription: mine\n---\n\nMy own planner.\n');
  const { code, stdout } = await run('init', '--yes', '--forge', 'github');
  expect(code).toBe(0);
  expect(stdout).toMatch(/kept +decree\.config\.ts/);
  expect(stdout).toMatch(/kept +\.claude\/agents\/planner\.md/);
  expect(stdout).toMatch(/unchanged +\.claude\/agents\/reviewer\.md/);
  expect(stdout).toMatch(/labels +all there/);
  expect(await read('.claude/agents/planner.md')).toContain('My own planner.');
  expect(await read('.gitignore')).toBe('.decree/\n.worktrees/\n');
});

test('for GitHub the repository is taken from the remote, and what is missing is said', async () => {
  await gitText(repository.folder, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git');
  const { code, stdout } = await run('init', '--yes');
  expect(code).toBe(0);
  expect(await read('decree.config.ts')).toContain("repository: 'acme/shop'");
  expect(stdout).toMatch(/labels +not made yet: githubAppPrivateKeyPath/);
  expect(stdout).toContain('GitHub App');
});

test('without a terminal and without --yes it asks nobody', async () => {
  const { code, stderr } = await run('init');
  expect(code).toBe(2);
  expect(stderr).toContain('--yes');
  expect(await readdir(repository.folder)).toEqual(['.git']);
});

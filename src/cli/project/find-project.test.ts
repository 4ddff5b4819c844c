import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runGitText } from '../../git/run-git.ts';
import { findProject, findRoot } from './find-project.ts';

let root: string;
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'decree-project-')));
  await runGitText(['init', '--quiet', root], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true }));

test('the root of the repository is found from a folder inside', async () => {
  mkdirSync(join(root, 'src/.worktrees'), { recursive: true });
  expect(await findRoot(join(root, 'src/.worktrees'))).toBe(root);
});

test('the configuration of an agent is never run, whatever repository it makes in its folder', async () => {
  const folder = join(root, '.worktrees/issue-7-1/inner');
  mkdirSync(join(root, '.decree'));
  mkdirSync(folder, { recursive: true });
  await runGitText(['init', '--quiet', folder], { cwd: folder });
  writeFileSync(join(folder, 'decree.config.ts'), "throw new Error('the agent was here');");
  await expect(findProject(folder)).rejects.toThrow(/folder of an agent/);
  await expect(findProject(folder)).rejects.toMatchObject({ exitCode: 2 });
});

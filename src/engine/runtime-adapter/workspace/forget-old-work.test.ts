import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runGitText } from '../../../git/run-git.ts';
import { forgetOldWork } from './forget-old-work.ts';

let gitDir = '';
beforeEach(async () => {
  gitDir = await mkdtemp(path.join(os.tmpdir(), 'decree-old-work-'));
  await git('init', '--quiet', '--bare', gitDir);
});
afterEach(() => rm(gitDir, { recursive: true }));

const NOW = Date.UTC(2026, 5, 30);
const DAY = 24 * 60 * 60 * 1000;
const git = (...args: string[]) => runGitText(args, { cwd: gitDir });

async function commitFrom(daysAgo: number): Promise<string> {
  const date = `${(NOW - daysAgo * DAY) / 1000} +0000`;
  const who = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.invalid',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.invalid',
  };
  const tree = await runGitText(['mktree'], { cwd: gitDir, input: '' });
  const env = { ...who, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return runGitText(['commit-tree', tree, '-m', 'work'], { cwd: gitDir, env });
}

async function refs(): Promise<string[]> {
  return (await git('for-each-ref', '--format=%(refname)')).split('\n').filter((line) => line !== '');
}

test('unfinished work goes after 30 days; everything else in the clone stays', async () => {
  for (const [name, days] of [
    ['refs/decree/runs/young', 29],
    ['refs/decree/runs/old', 31],
    ['refs/decree/runs/older', 300],
    ['refs/heads/issue-1', 300],
    ['refs/remotes/origin/main', 300],
  ] as const) {
    await git('update-ref', name, await commitFrom(days));
  }
  await git('pack-refs', '--all');
  await forgetOldWork(gitDir, NOW);
  expect(await refs()).toEqual(['refs/decree/runs/young', 'refs/heads/issue-1', 'refs/remotes/origin/main']);
});

test('where there is nothing to forget, nothing happens', async () => {
  await forgetOldWork(gitDir, NOW);
  const tree = await runGitText(['mktree'], { cwd: gitDir, input: '' });
  await git('update-ref', 'refs/decree/runs/no-commit', tree);
  await forgetOldWork(gitDir, NOW);
  expect(await refs()).toEqual(['refs/decree/runs/no-commit']);
});

test('a ref that leads nowhere is no reason to fail', async () => {
  const refsFolder = path.join(gitDir, 'refs', 'decree', 'runs');
  await mkdir(refsFolder, { recursive: true });
  await writeFile(path.join(refsFolder, 'broken'), `${'ab'.repeat(20)}\n`);
  await expect(forgetOldWork(gitDir, NOW)).resolves.toBeUndefined();
});

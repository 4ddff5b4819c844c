import { expect, test } from 'vitest';
import { PLACEHOLDERS, sandboxEnvironment, sandboxRules } from './sandbox-rules.ts';

const RUN = { repoRoot: '/repo', folder: '/repo/.worktrees/a', adminFolder: null, home: '/home/me' };

test('keys, decree data, environment files, ssh and cloud credentials, and Claude’s own login are unreadable', () => {
  const { denyRead } = sandboxRules({ ...RUN, unreadable: ['/keys/app.pem'] });
  expect(denyRead).toEqual(
    expect.arrayContaining([
      '/keys/app.pem',
      '/repo/.decree',
      '/repo/.env',
      '/repo/.worktrees/a/.env',
      '/home/me/.ssh',
      '/home/me/.aws',
      '/home/me/.config/gcloud',
      '/home/me/.claude/.credentials.json',
      '/home/me/.claude/projects',
    ]),
  );
  expect(sandboxRules({ ...RUN, claudeFolder: '/claude' }).denyRead).toContain('/claude/.credentials.json');
});

test('of decree’s data a run sees the clone, which it needs for git, and the shared cache', () => {
  expect(sandboxRules(RUN).allowRead).toEqual(['/repo/.decree/repo.git', '/repo/.decree/cache']);
});

test('a run that commits may not write the settings of the clone, nor what other runs start from', () => {
  const { allowWrite, denyWrite } = sandboxRules({ ...RUN, adminFolder: '/repo/.decree/repo.git/worktrees/a' });
  for (const name of ['config', 'hooks', 'info', 'refs/remotes', 'refs/decree', 'worktrees/b']) {
    const path = `/repo/.decree/repo.git/${name}`;
    expect(allowWrite.filter((allowed) => `${path}/`.startsWith(`${allowed}/`))).toEqual([]);
  }
  expect(denyWrite).toEqual(expect.arrayContaining(['/repo/.decree/repo.git/refs/remotes']));
});

test('in the sandbox git leaves out what is a device there, and tracked files stay tracked', () => {
  const environment = sandboxEnvironment('/repo');
  expect(environment).toMatchObject({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.excludesFile' });
  expect(environment['GIT_CONFIG_VALUE_0']).toMatch(/^\/repo\/\.decree\/repo\.git\//);
  expect(PLACEHOLDERS.split('\n')).toEqual(expect.arrayContaining(['/.bashrc', '/.gitmodules', '/.claude/']));
});

import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGit } from '../../../git/run-git.ts';
import { isBranchName } from './branch-name.ts';

test.for([
  'issue-7-1767225600000',
  'feature/login',
  'a/b/c',
  'ünïcode',
  'x.y',
  'a@b',
  "it's",
  'émile/☃',
  '+1',
  'a$(b)',
])('"%s" is a branch name', (name) => {
  expect(isBranchName(name)).toBe(true);
});

test.for([
  ['', 'nothing'],
  ['../x', 'a way out'],
  ['a/../b', 'a way up'],
  ['/etc/passwd', 'an absolute path'],
  ['a//b', 'an empty part'],
  ['a/', 'an empty end'],
  ['-f', 'an option'],
  ['.git/config', 'a hidden part'],
  ['a/.b', 'a hidden part inside'],
  ['x.lock', 'a lock file'],
  ['x.lock/y', 'a lock folder'],
  ['a b', 'a space'],
  ['a\nb', 'a line break'],
  ['a\0b', 'a zero byte'],
  ['a:b', 'a colon'],
  ['a\\b', 'a backslash'],
  ['a*', 'a wildcard'],
  ['a@{1}', 'a reflog entry'],
  ['x.', 'a dot at the end'],
  ['HEAD', 'a reserved name'],
  ['@', 'a short name for HEAD'],
  ['x'.repeat(201), 'too much'],
] as const)('%j is no branch name: %s', ([name]) => {
  expect(isBranchName(name)).toBe(false);
});

test('whatever passes stays inside its folder', () => {
  const unit = fc.constantFrom('.', '/', 'a', '-', '\\', '@', '{', ' ', '\0');
  const names = fc.sample(fc.string({ unit }), { numRuns: 5_000, seed: 1 }).filter((name) => isBranchName(name));
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) expect(join('/top', name)).toBe(`/top/${name}`);
});

test('whatever passes is a branch name to git as well', async () => {
  const names = fc
    .sample(fc.string({ unit: fc.constantFrom('.', '/', 'a', '-', '@', '{', '~', 'é', 'lock') }), {
      numRuns: 400,
      seed: 1,
    })
    .filter((name) => isBranchName(name));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names.slice(0, 25)) await runGit(['check-ref-format', '--branch', name], { cwd: '/' });
});

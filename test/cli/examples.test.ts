import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('every example is a program that a test here runs', () => {
  expect(readdirSync('examples')).toEqual(['one-item.ts']);
});

test('the example takes a spec to an approved pull request with the public API alone', async () => {
  const { stdout } = await run(process.execPath, ['examples/one-item.ts'], { timeout: 50_000 });
  expect(stdout).toContain('#1 Say hello: in-progress');
  expect(stdout).toContain('Pull request #2 for #1');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('#1 Say hello: approved');
});

test('the library loads on plain Node and exports what it promises', async () => {
  const names = "import('./src/index.ts').then((library) => console.log(Object.keys(library).sort().join(' ')))";
  const { stdout, stderr } = await run(process.execPath, ['--eval', names]);
  expect(stderr).toBe('');
  expect(stdout.trim().split(' ')).toEqual([
    'ConfigError',
    'JournalError',
    'PatchError',
    'ProviderError',
    'RunError',
    'applyPatch',
    'createClaudeAdapter',
    'createEmbeddedForge',
    'createEngine',
    'createGitHubProvider',
    'createScriptedAdapter',
    'defineConfig',
    'parsePatch',
    'validateBashCommand',
  ]);
});

import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createRepository, decree } from './cli-process.ts';

const HOOK = fileURLToPath(new URL('print-loaded-packages.mjs', import.meta.url));
/** What only an engine, an agent or a screen needs. */
const HEAVY: ReadonlySet<string> = new Set(['@anthropic-ai/claude-agent-sdk', '@octokit/rest', 'ink', 'pino', 'react']);

test.each([
  ['--version', 0],
  ['--help', 0],
  ['no-such-command', 2],
])('%s loads nothing but the parser of the command line', async (argument, code) => {
  const { packages, ...end } = await loadedBy(argument);
  expect(end.code).toBe(code);
  expect(packages).toEqual(['commander']);
});

test.each([
  ['status', 3],
  ['dispatch 1', 3],
])('%s, which only asks the running engine, loads no part of an engine', async (line, code) => {
  const { packages, ...end } = await loadedBy(...line.split(' '));
  expect(end.code).toBe(code);
  expect(packages).toContain('commander');
  expect(packages.filter((name) => HEAVY.has(name))).toEqual([]);
});

async function loadedBy(...args: readonly string[]) {
  const repository = await createRepository();
  onTestFinished(() => repository.remove());
  const { code, stderr } = await decree(args, { cwd: repository.folder, nodeArgs: ['--import', HOOK] });
  const line = /^packages: (.*)$/m.exec(stderr)?.[1];
  if (line === undefined) throw new Error(`decree did not say what it loaded:\n${stderr}`);
  return { code, packages: line.split(' ').filter(Boolean) };
}

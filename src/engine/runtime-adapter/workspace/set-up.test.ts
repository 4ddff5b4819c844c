import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { removeFolder } from './remove-folder.ts';
import { runCommand } from './run-command.ts';
import { detectSetUpCommand, setUp } from './set-up.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decree-set-up-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const environment = { PATH: process.env['PATH'] ?? '' };
const signal = new AbortController().signal;

test.for([
  ['yarn.lock', 'yarn install'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['package-lock.json', 'npm ci'],
  ['bun.lock', 'bun install --frozen-lockfile'],
  ['bun.lockb', 'bun install --frozen-lockfile'],
] as const)('with %s the worktree is set up by "%s"', async ([lockfile, command]) => {
  await writeFile(join(folder, lockfile), '');
  expect(await detectSetUpCommand(folder)).toBe(command);
});

test('without a lockfile nothing is run', async () => {
  await writeFile(join(folder, 'package.json'), '{}');
  expect(await setUp({ folder, command: undefined, environment, signal })).toBe(false);
});

test('false runs nothing, whatever lockfile there is', async () => {
  await writeFile(join(folder, 'yarn.lock'), '');
  expect(await setUp({ folder, command: false, environment, signal })).toBe(false);
});

test('a configured command runs in the folder, with the given environment and nothing else', async () => {
  const options = {
    folder,
    command: 'pwd > where; env > environment',
    environment: { ...environment, A: 'b' },
    signal,
  };
  expect(await setUp(options)).toBe(true);
  expect(await readFile(join(folder, 'where'), 'utf8')).toBe(`${folder}\n`);
  const lines = (await readFile(join(folder, 'environment'), 'utf8')).trim().split('\n');
  const names = lines.map((line) => line.replace(/=.*/, '')).filter((name) => !['_', 'SHLVL', 'OLDPWD'].includes(name));
  expect(new Set(names)).toEqual(new Set(['A', 'PATH', 'PWD']));
});

test('a launcher starts the command', async () => {
  await writeFile(join(folder, 'launch.sh'), 'echo launched > launched.txt; exec "$@"');
  const launcher = ['/bin/sh', 'launch.sh'];
  await setUp({ folder, command: 'echo done > done.txt', environment: {}, launcher, signal });
  expect(await readFile(join(folder, 'launched.txt'), 'utf8')).toBe('launched\n');
  expect(await readFile(join(folder, 'done.txt'), 'utf8')).toBe('done\n');
});

test('a failing command is reported with its exit code, the end of its output and what to change', async () => {
  const failed = setUp({ folder, command: 'echo "disk full" >&2; exit 3', environment, signal });
  await expect(failed).rejects.toThrow(/failed with exit code 3; set agents\.setupCommand[^]*disk full/);
});

test('what a command leaves in the background ends with it', async () => {
  const loop = 'while :; do date > alive; sleep 0.02; done';
  const { exitCode } = await runCommand(`(${loop}) & sleep 0.1; echo done`, { cwd: folder, env: environment, signal });
  expect(exitCode).toBe(0);
  await rm(join(folder, 'alive'), { force: true });
  await expect(vi.waitFor(() => readFile(join(folder, 'alive')), { timeout: 200, interval: 20 })).rejects.toThrow(
    'ENOENT',
  );
});

test('folders that a tool made read-only are removed all the same', async () => {
  const deep = join(folder, 'tree/cache/pkg');
  await mkdir(deep, { recursive: true });
  await writeFile(join(deep, 'file'), '');
  await chmod(deep, 0o500);
  await chmod(join(folder, 'tree/cache'), 0o500);
  await removeFolder(join(folder, 'tree'));
  await removeFolder(join(folder, 'tree'));
  await expect(readFile(join(deep, 'file'))).rejects.toThrow('ENOENT');
});

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRepository } from './cli-process.ts';
import type { TestRepository } from './cli-process.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

let repository: TestRepository;
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(() => repository.remove());

interface Talk {
  readonly screen: string;
  readonly code: number;
}

/** Runs a command on a terminal and gives each answer as soon as its question stands there. */
function talk(
  args: readonly string[],
  answers: readonly (readonly [question: RegExp, answer: string])[],
): Promise<Talk> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: repository.folder, TERM: 'xterm', NO_COLOR: '1' };
  const terminal = spawn(process.execPath, [MAIN, ...args], { cwd: repository.folder, env, cols: 120, rows: 40 });
  const waiting = [...answers];
  let screen = '';
  let heard = 0;
  terminal.onData((data) => {
    screen += data;
    const [next] = waiting;
    if (next === undefined || !next[0].test(stripVTControlCharacters(screen.slice(heard)))) return;
    heard = screen.length;
    waiting.shift();
    terminal.write(`${next[1]}\r`);
  });
  return new Promise((resolve) => {
    terminal.onExit(({ exitCode }) => resolve({ screen: stripVTControlCharacters(screen), code: exitCode }));
  });
}

const configFile = () => readFile(path.join(repository.folder, 'decree.config.ts'), 'utf8');

test('init asks little, objects to nonsense, and overwrites only what a person says', async () => {
  const first = await talk(
    ['init'],
    [
      [/Which forge.*\[embedded\]: $/, 'gitlab'],
      [/Answer github or embedded[^]*Which forge.*: $/, ''],
      [/Command that checks a change.*: $/, "node --test 'all'"],
    ],
  );
  expect(first.code).toBe(0);
  expect(await configFile()).toContain("ci: { command: 'node --test \\'all\\'' }");

  const second = await talk(
    ['init', '--forge', 'embedded'],
    [
      [/Command that checks a change.*: $/, 'make'],
      [/decree\.config\.ts is there and different\. Overwrite it\? \[y\/N\] $/, 'n'],
    ],
  );
  expect(second.screen).toMatch(/kept +decree\.config\.ts/);
  expect(await configFile()).toContain('node --test');

  const third = await talk(
    ['init', '--forge', 'embedded'],
    [
      [/Command that checks a change.*: $/, 'make'],
      [/Overwrite it\? \[y\/N\] $/, 'yes'],
    ],
  );
  expect(third.screen).toMatch(/written +decree\.config\.ts/);
  expect(await configFile()).toContain("ci: { command: 'make' }");
});

test('who leaves at a question has changed nothing', async () => {
  const { code, screen } = await talk(['init'], [[/Which forge.*: $/, '\u0003']]);
  expect(code).toBe(130);
  expect(screen).toContain('You left.');
  await expect(configFile()).rejects.toThrow(/ENOENT/);
});

test('from the sources the terminal UI says that it needs the build', async () => {
  await repository.write('decree.config.ts', "export default { forge: 'embedded' };\n");
  const { code, screen } = await talk([], []);
  expect(code).toBe(1);
  expect(screen).toContain('npm run build');
});

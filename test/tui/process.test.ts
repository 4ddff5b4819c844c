import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pty from '@lydell/node-pty';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTerminal, visibleText } from './emulator.ts';
import { KEYS } from './open-screen.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
let folder = '';

/** Node runs no .tsx: the UI is compiled first, inside node_modules, from where packages are found. */
beforeAll(async () => {
  const cache = path.join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(path.join(cache, 'decree-tui-'));
  const compilerOptions = { noEmit: false, rootDir: path.join(root, 'src'), outDir: folder, noCheck: true };
  const files = [path.join(root, 'src', 'tui', 'run-tui.tsx')];
  const config = { extends: path.join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  await promisify(execFile)(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the real process: draws on a real terminal, follows a resize, quits on Ctrl-C and gives the terminal back', async () => {
  const process = start('normal');
  await process.until('Agents at work');
  expect(process.output()).toContain('␛[?1049h');
  process.resize(160, 50);
  await process.until('Pull request #15');
  process.write('?');
  await process.until('Symbols');
  process.write('q');
  await process.until('Agents at work');
  process.write(KEYS.ctrlC);
  await process.until('Quit decree?');
  process.write('y');
  await expect(process.exitCode).resolves.toBe(0);
  await process.until('left; the engine was stopped 1 times');
  expect(process.output()).toMatch(/␛\[\?1049l[\s\S]*left;/);
  expect(process.text()).not.toContain('Agents at work');
});

test('a crash leaves the alternate screen before its message is printed', async () => {
  const process = start('crash');
  await process.until('Agents at work');
  process.write('R');
  await expect(process.exitCode).resolves.not.toBe(0);
  await process.until('a bug somewhere');
  expect(process.output()).toMatch(/␛\[\?1049l[\s\S]*a bug somewhere/);
  expect(process.output()).toContain('␛[?25h');
});

test('without colours nothing is said by colour, and everything is still there', async () => {
  const plain = start('plain');
  await plain.until('Agents at work');
  const text = plain.text();
  // A key, not Ctrl-C: until the keyboard is taken over, that would be a signal.
  plain.write('q');
  await plain.until('Quit decree?');
  plain.write(KEYS.ctrlC);
  await plain.exitCode;
  const colours = /␛\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m/;
  expect(plain.output()).not.toMatch(colours);

  const colourful = start('normal');
  await colourful.until('Agents at work');
  expect(colourful.output()).toMatch(colours);
  expect(colourful.text()).toBe(text);
  colourful.write('q');
  await colourful.until('Quit decree?');
  colourful.write(KEYS.ctrlC);
  await colourful.exitCode;
});

function start(behaviour: 'normal' | 'crash' | 'plain') {
  const terminal = createTerminal(80, 24);
  const chunks: string[] = [];
  const script = path.join(import.meta.dirname, 'run-in-terminal.mjs');
  const args = [script, path.join(folder, 'tui', 'run-tui.js'), behaviour];
  const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', NODE_ENV: 'production' };
  const child = pty.spawn(process.execPath, args, { cols: 80, rows: 24, cwd: root, env });
  const exitCode = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  child.onData((chunk) => {
    chunks.push(chunk);
    terminal.write(chunk);
  });
  let isOver = false;
  void exitCode.then(() => {
    isOver = true;
  });
  onTestFinished(() => {
    if (!isOver) child.kill('SIGKILL');
  });
  return {
    exitCode,
    /** Everything written, with a visible character for escape. */
    output: () => chunks.join('').replaceAll('\u001b', '␛'),
    text: () => visibleText(terminal),
    write: (text: string) => child.write(text),
    resize: (columns: number, rows: number) => {
      terminal.resize(columns, rows);
      child.resize(columns, rows);
    },
    until: async (expected: string) => {
      const isThere = () => visibleText(terminal).includes(expected);
      const deadline = Date.now() + 20_000;
      while (!isThere() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(visibleText(terminal)).toContain(expected);
    },
  };
}

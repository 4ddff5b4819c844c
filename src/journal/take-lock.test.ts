import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from './take-lock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a second holder is refused with a way out, until the first lets go', () => {
  const file = path.join(folder, '.decree', 'engine.lock');
  const lock = takeLock(file);
  expect(() => takeLock(file)).toThrow(/Another decree is at work on this repository.*decree status/s);
  lock.release();
  lock.release();
  takeLock(file).release();
});

test('a holder that was killed has lost it', async () => {
  const file = path.join(folder, 'engine.lock');
  const module = JSON.stringify(path.join(import.meta.dirname, 'take-lock.ts'));
  const program = `const { takeLock } = await import(${module}); takeLock(${JSON.stringify(file)}); console.log('held'); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => takeLock(file)).toThrow('Another decree');
  child.kill('SIGKILL');
  await once(child, 'close');
  takeLock(file).release();
});

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { diffTexts } from './diff-texts.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decree-diff-test-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('the difference is shown as hunks without file names', async () => {
  expect(await diffTexts('a\nb\n', 'a\nc\n')).toBe('@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
});

test('equal texts have no difference', async () => {
  expect(await diffTexts('same\n', 'same\n')).toBe('');
});

test('a missing line break at the end, Windows line ends and zero bytes are differences like any other', async () => {
  expect(await diffTexts('a', 'a\n')).toContain('\\ No newline at end of file');
  expect(await diffTexts('a\n', 'a\r\n')).toContain('+a\r\n');
  expect(await diffTexts('a\u0000\n', 'b\u0000\n')).toContain('-a\u0000');
  expect(await diffTexts('', 'new\n')).toBe('@@ -0,0 +1 @@\n+new\n');
});

test('many at once do not meet, and nothing is left behind', async () => {
  const diffs = await Promise.all(Array.from({ length: 8 }, (_, n) => diffTexts('a\n', `${String(n)}\n`)));
  expect(diffs).toEqual(diffs.map((_, n) => `@@ -1 +1 @@\n-a\n+${String(n)}\n`));
  expect(await readdir(folder)).toEqual([]);
});

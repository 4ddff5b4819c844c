import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sandboxLauncher } from './sandbox-launcher.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'decree-launcher-'));
});
afterEach(() => rmSync(top, { recursive: true }));

function launch(denyRead: string[], allowRead: string[] = [], allowWrite: string[] = []): string {
  const rules = { denyRead, allowRead, allowWrite, denyWrite: [] };
  return sandboxLauncher({ folder: '/run/a', rules, temporary: '/cache/tmp', env: { A: 'b' } }).join(' ');
}

test('everything is read-only but the folder, and processes, devices and rights are the command’s own', () => {
  const words = launch([]);
  expect(words).toMatch(/^bwrap --new-session --die-with-parent --ro-bind \/ \/ --dev \/dev /);
  expect(words).toContain('--unshare-pid --unshare-user --cap-drop ALL --proc /proc');
  expect(words).toContain(`--tmpfs ${realpathSync(tmpdir())} `);
  expect(words).toMatch(/ --bind \/run\/a \/run\/a --tmpfs \/cache\/tmp --setenv A b --setenv TMPDIR \/cache\/tmp --$/);
});

test('what is hidden comes after the folder, and its exceptions after it', () => {
  const hidden = join(top, 'hidden');
  mkdirSync(hidden);
  expect(launch([hidden], [`${hidden}/a`], [`${hidden}/a/b`])).toContain(
    `--bind /run/a /run/a --tmpfs ${hidden} --ro-bind-try ${hidden}/a ${hidden}/a --bind-try ${hidden}/a/b ${hidden}/a/b`,
  );
});

test('a file is hidden behind the empty device, a link where it leads, and what is not there not at all', () => {
  const key = join(top, 'key.pem');
  writeFileSync(key, 'key');
  symlinkSync(key, join(top, 'link'));
  symlinkSync(join(top, 'gone'), join(top, 'dangling'));
  expect(launch([join(top, 'link')])).toContain(`--ro-bind /dev/null ${key}`);
  expect(launch([join(top, 'dangling'), join(top, 'absent')])).toBe(launch([]));
});

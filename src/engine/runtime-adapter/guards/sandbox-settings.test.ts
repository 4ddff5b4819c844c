import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { missingSandboxTools, sandboxSettings } from './sandbox-settings.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folderWith(...programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  folders.push(folder);
  for (const program of programs) {
    writeFileSync(join(folder, program), '');
    chmodSync(join(folder, program), 0o755);
  }
  return folder;
}

test('with both tools the sandbox is on and cannot be left by the agent', () => {
  const { sandbox, warning } = sandboxSettings({ mode: 'auto', missing: [] });
  expect(warning).toBeNull();
  expect(sandbox).toMatchObject({ enabled: true, failIfUnavailable: true, allowUnsandboxedCommands: false });
});

test('the rules of a run become those of the sandbox', () => {
  const rules = {
    denyRead: ['/keys/app.pem'],
    allowRead: ['/repo/a'],
    allowWrite: ['/repo/b'],
    denyWrite: [folderWith()],
  };
  expect(sandboxSettings({ mode: 'auto', missing: [], rules }).sandbox?.filesystem).toEqual(rules);
  const absent = { ...rules, denyWrite: ['/no/such/folder'] };
  expect(sandboxSettings({ mode: 'auto', missing: [], rules: absent }).sandbox?.filesystem.denyWrite).toEqual([]);
});

test('without its tools the automatic sandbox is a warning that names what is missing', () => {
  const decision = sandboxSettings({ mode: 'auto', missing: ['bwrap', 'socat'] });
  expect(decision).toEqual({
    sandbox: null,
    warning: 'Agents run without a sandbox: bwrap and socat not found on PATH.',
  });
});

test('without its tools a required sandbox is an error that says what to do', () => {
  expect(() => sandboxSettings({ mode: 'required', missing: ['socat'] })).toThrow(/Install socat/);
});

test('a sandbox that is switched off is a warning too', () => {
  expect(sandboxSettings({ mode: 'off', missing: [] }).warning).toMatch(/sandbox is off/);
});

test('the probe finds the tools in any folder of the path', () => {
  const path = [folderWith('bwrap'), folderWith(), folderWith('socat')].join(delimiter);
  expect(missingSandboxTools(path)).toEqual([]);
});

test('the probe does not take a folder or a plain file for a program', () => {
  const folder = folderWith('socat');
  chmodSync(join(folder, 'socat'), 0o644);
  mkdirSync(join(folder, 'bwrap'));
  expect(missingSandboxTools(folder)).toEqual(['bwrap', 'socat']);
  expect(missingSandboxTools('')).toEqual(['bwrap', 'socat']);
});

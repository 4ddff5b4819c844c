import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { sandboxSettings } from './sandbox-settings.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  folders.push(folder);
  return folder;
}

const OBSTACLE = { reason: 'bwrap cannot start (no namespaces)', fix: 'Allow them.' };

test('with both tools the sandbox is on and cannot be left by the agent', () => {
  const { sandbox, warning } = sandboxSettings({ mode: 'auto', obstacle: null });
  expect(warning).toBeNull();
  expect(sandbox).toMatchObject({ enabled: true, failIfUnavailable: true, allowUnsandboxedCommands: false });
});

test('commands in it see neither the login of the agent nor what listens on this machine', () => {
  const { sandbox } = sandboxSettings({ mode: 'auto', obstacle: null });
  expect(sandbox?.credentials.envVars).toContainEqual({ name: 'ANTHROPIC_API_KEY', mode: 'deny' });
  expect(sandbox?.network.deniedDomains).toEqual(expect.arrayContaining(['localhost', '127.0.0.1', '::1']));
});

test('the rules of a run become those of the sandbox', () => {
  const rules = {
    denyRead: ['/keys/app.pem'],
    allowRead: ['/repo/a'],
    allowWrite: ['/repo/b'],
    denyWrite: [makeFolder()],
  };
  expect(sandboxSettings({ mode: 'auto', obstacle: null, rules }).sandbox?.filesystem).toEqual(rules);
  const absent = { ...rules, denyWrite: ['/no/such/folder'] };
  expect(sandboxSettings({ mode: 'auto', obstacle: null, rules: absent }).sandbox?.filesystem.denyWrite).toEqual([]);
});

test('where it cannot be had the automatic sandbox is a warning that says why', () => {
  expect(sandboxSettings({ mode: 'auto', obstacle: OBSTACLE })).toEqual({
    sandbox: null,
    warning: 'Agents run without a sandbox: bwrap cannot start (no namespaces).',
  });
});

test('where it cannot be had a required sandbox is an error that says why and what to do', () => {
  expect(() => sandboxSettings({ mode: 'required', obstacle: OBSTACLE })).toThrow(/no namespaces.*Allow them/);
});

test('a sandbox that is switched off is a warning too', () => {
  expect(sandboxSettings({ mode: 'off', obstacle: null }).warning).toMatch(/sandbox is off/);
});

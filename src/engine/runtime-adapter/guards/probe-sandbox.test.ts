import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createSandboxProbe, missingSandboxTools, probeSandbox } from './probe-sandbox.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with programs: scripts for the shell by name. */
function folderWith(programs: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  folders.push(folder);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test('a bubblewrap that starts is a sandbox, and it is started as the SDK does it', () => {
  const folder = folderWith({ bwrap: 'echo "$*" > "${0%/*}/asked"', socat: '' });
  expect(probeSandbox(folder)).toBeNull();
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(
    /--ro-bind \/ \/ .*--unshare-user --cap-drop ALL .*-- true$/m,
  );
});

test('a bubblewrap that is installed and cannot start is an obstacle in its own words', () => {
  const words = 'bwrap: No permissions to create a new namespace';
  const obstacle = probeSandbox(folderWith({ bwrap: `echo a hint >&2; echo '${words}' >&2; exit 1`, socat: '' }));
  expect(obstacle?.reason).toBe(`bwrap cannot start (${words})`);
  expect(obstacle?.fix).toMatch(/namespaces/);
});

test('missing programs are named, and the packages that have them', () => {
  expect(probeSandbox(folderWith({}))).toEqual({
    reason: 'bwrap and socat not found on PATH',
    fix: 'Install bubblewrap and socat.',
  });
});

test('it is asked once', () => {
  const asked: string[] = [];
  const probe = createSandboxProbe((path) => {
    asked.push(path);
    return null;
  });
  expect([probe('/a'), probe('/a'), probe('/b')]).toEqual([null, null, null]);
  expect(asked).toEqual(['/a', '/b']);
});

test('the programs are found in any folder of the path', () => {
  const path = [folderWith({ bwrap: '' }), folderWith({}), folderWith({ socat: '' })].join(delimiter);
  expect(missingSandboxTools(path)).toEqual([]);
});

test('a folder or a plain file is no program', () => {
  const folder = folderWith({ socat: '' });
  chmodSync(join(folder, 'socat'), 0o644);
  mkdirSync(join(folder, 'bwrap'));
  expect(missingSandboxTools(folder)).toEqual(['bwrap', 'socat']);
  expect(missingSandboxTools('')).toEqual(['bwrap', 'socat']);
});

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCopier } from './create-copier.ts';
import { createURLOpener } from './create-url-opener.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-desktop-'));
  await program('xdg-open', `printf %s "$1" > "${folder}/opened"`);
  await program('xclip', `cat > "${folder}/copied"`);
  await program('wslview', 'exit 1');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, body: string): Promise<void> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
}

const desktop = () => ({ PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0', TERM: 'xterm' });

function terminal() {
  const written: string[] = [];
  return { written, isTTY: true, write: (text: string) => written.push(text) };
}

test('a page is opened by the desktop, without a shell', async () => {
  await createURLOpener(desktop(), 'linux')('https://example.org/?a=1&b=$(date)');
  expect(await readFile(path.join(folder, 'opened'), 'utf8')).toBe('https://example.org/?a=1&b=$(date)');
});

test('without a program, or with something that is no page, opening is refused in a sentence', async () => {
  const open = createURLOpener({ PATH: '/nonexistent' }, 'linux');
  await expect(open('https://example.org')).rejects.toThrow('No browser could be started (xdg-open, wslview, gio).');
  await expect(createURLOpener(desktop(), 'linux')('file:///etc/passwd')).rejects.toThrow('Only web pages are opened.');
});

test('text is copied by the desktop, and not sent to the terminal then', async () => {
  const screen = terminal();
  expect(await createCopier(desktop(), screen, 'linux')('some text')).toBe('Copied');
  expect(await readFile(path.join(folder, 'copied'), 'utf8')).toBe('some text');
  expect(screen.written).toEqual([]);
});

test('over ssh and without a desktop the terminal is asked to copy', async () => {
  for (const environment of [
    { ...desktop(), SSH_TTY: '/dev/pts/1' },
    { PATH: '/nonexistent', TERM: 'xterm' },
  ]) {
    const screen = terminal();
    expect(await createCopier(environment, screen, 'linux')('héllo')).toBe("Sent to the terminal's clipboard");
    expect(screen.written).toEqual([`\u001b]52;c;${Buffer.from('héllo').toString('base64')}\u0007`]);
  }
});

test('where nothing can copy, it says so', async () => {
  const copy = createCopier({ PATH: '/nonexistent', TERM: 'dumb' }, terminal(), 'linux');
  await expect(copy('x')).rejects.toThrow('There is no clipboard here.');
});

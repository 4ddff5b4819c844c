import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { runGit } from '../../../git/run-git.ts';
import { createDecreeClone } from './decree-clone.ts';
import { findStart } from './find-start.ts';

let folder = '';
const portal = createServer();
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'decree-start-'));
  const git = (...args: string[]) => runGit(args, { cwd: folder });
  await git('init', '--quiet', '--initial-branch', 'feature', 'forge');
  const author = ['-c', 'user.name=h', '-c', 'user.email=h@example.com'];
  await runGit([...author, 'commit', '--quiet', '--allow-empty', '-m', 'x'], { cwd: path.join(folder, 'forge') });
});
afterEach(async () => {
  portal.removeAllListeners('request');
  portal.closeAllConnections();
  portal.close();
  await rm(folder, { recursive: true, force: true });
});

/** A page instead of git's answer, as a network gives it that wants a login. */
async function serve(page: string): Promise<string> {
  portal.on('request', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(portal.address());
  return `http://127.0.0.1:${port}/forge.git`;
}

const FEATURE = { branch: 'feature', isDefault: false };
const COMMIT = { commit: 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00' };

test.each([
  ['one line', '<!doctype html><title>Please sign in</title>'],
  ['two lines', '<!doctype html>\n<title>Please sign in</title>\n'],
  ['nothing', ''],
])('a page of %s in place of branches is waited for, and no branch is missing after it', async (_, page) => {
  let url = path.join(folder, 'forge');
  const clone = createDecreeClone(folder, async () => ({ url, authorization: '' }));
  const signal = new AbortController().signal;
  await clone.prepare();
  const start = await findStart(clone, FEATURE, signal);
  url = await serve(page);
  const waits = { name: 'ProviderError', kind: 'unavailable' };
  await expect(findStart(clone, FEATURE, signal)).rejects.toMatchObject(waits);
  await expect(findStart(clone, COMMIT, signal)).rejects.toMatchObject(waits);
  url = path.join(folder, 'forge');
  expect(await findStart(clone, FEATURE, signal)).toEqual(start);
});

test('a branch that the forge does not have is missing', async () => {
  const clone = createDecreeClone(folder, async () => ({ url: path.join(folder, 'forge'), authorization: '' }));
  await clone.prepare();
  const start = findStart(clone, { branch: 'other', isDefault: false }, new AbortController().signal);
  await expect(start).rejects.toThrow('the forge has no branch "other"');
});

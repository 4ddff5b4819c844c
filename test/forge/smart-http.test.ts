import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGit } from '../../src/git/run-git.ts';
import { clientOf, createForgeWorld, createSeededWorld, requestToken, signJWT } from './forge-world.ts';
import type { ForgeWorld } from './forge-world.ts';

let world: ForgeWorld;
let address: string;

beforeAll(async () => {
  world = await createSeededWorld();
  address = `${new URL(world.forge.gitURL).host}/${world.forge.owner}/${world.forge.repo}`;
});

afterAll(() => world.close());

const read = (credentials: string, at = address) => world.git('ls-remote', `http://${credentials}@${at}.git`);

test('plain git clones with the address that the forge gives', async () => {
  const folder = join(world.dir, '..', 'copy');
  await runGit(['clone', '--quiet', world.forge.gitURL, folder], { cwd: world.clone });
  expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('# A project\n');
  await rm(folder, { recursive: true });
});

test('large pushes arrive whole', async () => {
  const content = randomBytes(4 * 1024 * 1024);
  await world.push('large', { 'large.bin': content }, 'main');
  const blob = await world.git('rev-parse', 'large:large.bin');
  const { stdout } = await runGit(['cat-file', 'blob', blob], { cwd: join(world.dir, 'repository.git') });
  expect(stdout.equals(content)).toBe(true);
});

test('the app reads with its installation token, but does not push', async () => {
  const url = `http://x-access-token:${await requestToken(world.forge)}@${address}.git`;
  const main = await world.git('rev-parse', 'main');
  expect(await world.git('ls-remote', url, 'refs/heads/main')).toBe(`${main}\trefs/heads/main`);
  await world.git('fetch', '--quiet', url, main);
  await expect(world.git('push', url, 'main:refs/heads/by-app')).rejects.toThrow('403');
  expect((await world.app('GET', 'git/ref/heads/by-app')).status).toBe(404);
});

test.each(['x', 'human:wrong', 'x-access-token:ghs_00'])('nobody else reads (%j)', async (credentials) => {
  await expect(read(credentials)).rejects.toThrow(/Authentication failed|could not read Password/);
});

test("the app's own key is no password, and a token without access to contents does not read", async () => {
  await expect(read(`x-access-token:${signJWT(world.forge)}`)).rejects.toThrow('Authentication failed');
  const narrow = await createForgeWorld({ permissions: { issues: 'read' } });
  const token = await requestToken(narrow.forge);
  await expect(read(`x-access-token:${token}`, `${new URL(narrow.forge.url).host}/human/project`)).rejects.toThrow(
    '403',
  );
  await narrow.close();
});

test('other paths of git are not served', async () => {
  const human = clientOf(world.forge, `Basic ${Buffer.from(`human:x`).toString('base64')}`);
  for (const path of ['HEAD', 'objects/info/packs', 'config', '../forge.db']) {
    expect((await human('GET', `/human/project.git/${path}`)).status).toBe(501);
  }
  expect((await human('GET', '/human/other.git/info/refs?service=git-upload-pack')).status).toBe(501);
});

test('the default branch cannot be deleted', async () => {
  await expect(world.git('push', world.forge.gitURL, '--delete', 'main')).rejects.toThrow(
    'deletion of the current branch',
  );
});

test('pushes and calls at the same time lose nothing', async () => {
  const main = await world.git('rev-parse', 'main');
  const branches = Array.from({ length: 6 }, (_, n) => `busy-${n}`);
  await Promise.all([
    ...branches.map((name) => world.git('push', '--quiet', world.forge.gitURL, `main:refs/heads/pushed-${name}`)),
    ...branches.map((name) => world.app('POST', 'git/refs', { ref: `refs/heads/called-${name}`, sha: main })),
  ]);
  const listed = await world.git('ls-remote', world.forge.gitURL, 'refs/heads/*busy*');
  expect(listed.split('\n')).toHaveLength(12);
  expect(world.errors).toEqual([]);
});

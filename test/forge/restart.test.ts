import { chmod, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import type { EmbeddedForgeOptions } from '../../src/forge/create-embedded-forge.ts';
import { runGit } from '../../src/git/run-git.ts';
import {
  clientOf,
  createForgeWorld,
  createSeededWorld,
  humanToken,
  numberOf,
  requestToken,
  thing,
} from './forge-world.ts';

test('the same folder is the same forge: address, key, ids, tokens and everything that was written', async () => {
  const before = await createSeededWorld();
  const token = await requestToken(before.forge);
  const issue = numberOf(await before.app('POST', 'issues', { title: 'Kept', labels: ['l'] }));
  await before.push('topic', { x: '1' }, 'main');
  const pull = numberOf(await before.app('POST', 'pulls', { title: 'x', head: 'topic', base: 'main' }));
  await before.human('POST', `pulls/${pull}/reviews`, { event: 'APPROVE' });
  const paths = [`issues/${issue}`, `pulls/${pull}`, `pulls/${pull}/reviews`, 'git/trees/main?recursive=1', ''];
  const read = (world: typeof before) => Promise.all(paths.map(async (path) => (await world.human('GET', path)).body));
  const old = await read(before);

  const after = await before.restart();
  expect({ ...after.forge, close: null }).toEqual({ ...before.forge, close: null });
  expect(await read(after)).toEqual(old);
  expect((await clientOf(after.forge, `token ${token}`)('GET', 'issues')).status).toBe(200);
  expect(numberOf(await after.app('POST', 'issues', { title: 'Next' }))).toBe(pull + 1);
  await after.close();
});

test('the default branch has the name that the project gives it, from the next start on', async () => {
  const before = await createSeededWorld();
  await before.push('trunk', { x: '1' }, 'main');
  const after = await before.restart({ defaultBranch: 'trunk' });
  expect((await after.human('GET', '')).body).toMatchObject({ default_branch: 'trunk' });
  expect(await after.git('ls-remote', '--symref', after.forge.gitURL, 'HEAD')).toContain('ref: refs/heads/trunk');

  await after.push('topic', { y: '1' }, 'trunk');
  const issue = numberOf(await after.app('POST', 'issues', { title: 'Done by it' }));
  const wanted = { title: 'y', head: 'topic', base: 'trunk', body: `Closes #${issue}` };
  const pull = numberOf(await after.app('POST', 'pulls', wanted));
  await after.human('PUT', `pulls/${pull}/merge`);
  expect((await after.human('GET', `issues/${issue}`)).body).toMatchObject({ state: 'closed' });
  await after.close();
});

test('a branch that git would not accept is refused before anything is made', async () => {
  await expect(createForgeWorld({ defaultBranch: 'a..b' })).rejects.toThrow("'a..b' cannot be the name of a branch");
});

test('what was pushed while the forge could not take note is noticed at the next start', async () => {
  const before = await createSeededWorld();
  await before.push('topic', { x: '1' }, 'main');
  const pull = numberOf(await before.app('POST', 'pulls', { title: 'x', head: 'topic', base: 'main' }));
  const bare = join(before.dir, 'repository.git');
  await runGit(['update-ref', 'refs/heads/main', 'refs/heads/topic'], { cwd: bare });
  const after = await before.restart();
  expect(thing(await after.app('GET', `pulls/${pull}`))).toMatchObject({ state: 'closed', merged: true });
  await after.close();
});

test('an address that others can reach is refused', async () => {
  const world = await createForgeWorld();
  await world.forge.close();
  const options = z.custom<EmbeddedForgeOptions>().parse({ dir: world.dir, hostname: '0.0.0.0' });
  await expect(createEmbeddedForge(options)).rejects.toThrow('only listens on this machine');
  await world.close();
});

test('a port that is taken meanwhile is replaced, unless it was asked for', async () => {
  const world = await createForgeWorld();
  const port = Number(new URL(world.forge.url).port);
  await world.forge.close();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
  try {
    await expect(createEmbeddedForge({ dir: world.dir, port })).rejects.toThrow(`127.0.0.1:${port}`);
    const moved = await createEmbeddedForge({ dir: world.dir });
    expect(new URL(moved.url).port).not.toBe(String(port));
    await moved.close();
  } finally {
    squatter.close();
  }
  await world.close();
});

test('a folder that is in use is not opened twice, and is free after closing', async () => {
  const world = await createForgeWorld();
  await expect(createEmbeddedForge({ dir: world.dir })).rejects.toThrow(
    'If another decree uses this folder, stop it first',
  );
  expect((await world.app('POST', 'issues', { title: 'still alive' })).status).toBe(201);
  await world.restart().then((again) => again.close());
});

test('a damaged database gives a clear error', async () => {
  const world = await createForgeWorld();
  await world.forge.close();
  await writeFile(
    join(world.dir, 'forge.db'),
    'this is not a database, and it is long enough to be seen as one'.repeat(50),
  );
  await expect(createEmbeddedForge({ dir: world.dir })).rejects.toThrow('restore it or move the folder away');
  await world.close();
});

test('nobody else on the machine can read the folder', async () => {
  const world = await createForgeWorld();
  await chmod(world.dir, 0o755);
  const again = await world.restart();
  expect((await stat(world.dir)).mode & 0o777).toBe(0o700);
  await again.close();
});

test('closing does not wait for clients that hold their connection open', async () => {
  const world = await createSeededWorld();
  await world.human('GET', 'issues');
  const unfinished = connect(Number(new URL(world.forge.url).port), '127.0.0.1');
  const cut = new Promise((resolve) => unfinished.once('close', resolve));
  unfinished.on('error', () => undefined).resume();
  await new Promise((resolve) => unfinished.once('connect', resolve));
  const head = ['POST /repos/human/project/issues HTTP/1.1', 'Host: x', 'Content-Length: 10'];
  unfinished.write([...head, `Authorization: Bearer ${humanToken(world.forge)}`, '', '{'].join('\r\n'));
  await world.human('GET', 'issues');
  await world.close();
  await cut;
  expect(unfinished.destroyed).toBe(true);
});

import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import { credentialEnvironment } from '../../src/git/git-environment.ts';
import { runGitText } from '../../src/git/run-git.ts';
import { createHastyClock } from '../contracts/provider-clock.ts';
import { createForgeWorld, type ForgeWorld } from '../contracts/provider-forge-world.ts';
import { people } from '../contracts/provider-world.ts';
import { answer, changedJSON, html, truncatedJSON } from '../fault-proxy/fault.ts';

let world: ForgeWorld;

beforeAll(async () => {
  world = await createForgeWorld();
});
afterAll(() => world.close());
afterEach(() => world.proxy.reset());

describe('signing in', () => {
  test('[ENG-01] making a provider sends nothing; the first call signs in', async () => {
    const provider = world.provider();
    expect(world.proxy.requests).toEqual([]);
    expect(provider.rateLimit()).toBeNull();
    await provider.specReader.getDefaultHead();
    expect(world.proxy.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /app/installations/${world.forge.installationID}/access_tokens`,
      `GET /repos/${world.owner}/${world.repo}/git/ref/heads%2Fmain`,
    ]);
    expect(provider.rateLimit()).toMatchObject({ limit: 5_000, remaining: expect.any(Number) });
  });

  test('eight first calls at once ask for one token', async () => {
    const provider = world.provider();
    const ids = await Promise.all(Array.from({ length: 4 }, () => people(world).openIssue()));
    world.proxy.reset();
    await Promise.all([...ids, ...ids].map((id) => provider.workItemReader.getWorkItemBody(id)));
    expect(world.proxy.requests.filter(({ path }) => path.includes('access_tokens'))).toHaveLength(1);
  });

  test.each([
    ['is not a key', 'not a key'],
    ['belongs to somebody else', anotherKey()],
  ])('a private key that %s is refused as a matter of credentials', async (_, privateKey) => {
    const provider = world.provider({ privateKey });
    await expect(provider.workItemReader.listWorkItems()).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'unauthorized',
      message: expect.stringContaining('private key'),
    });
    await expect(provider.gitAccess()).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  test('an empty key is refused at once', () => {
    expect(() => world.provider({ privateKey: ' ' })).toThrow(/private key/);
  });

  test('an installation that does not exist is a matter of credentials', async () => {
    const provider = world.provider({ installationID: 999 });
    await expect(provider.workItemReader.listWorkItems()).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'unauthorized',
    });
  });

  test('a repository that does not exist, or that the app may not see, is a matter of permissions', async () => {
    const provider = world.provider({ repo: 'nowhere' });
    await expect(provider.workItemReader.listWorkItems()).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'forbidden',
      message: expect.stringContaining('nowhere'),
    });
  });

  test.each([401, 403, 404])('an installation that answers %i does not make an issue look gone', async (status) => {
    const id = await people(world).openIssue();
    const provider = world.provider();
    world.proxy.inject('POST /access_tokens', answer(status));
    await expect(provider.workItemReader.getWorkItem(id)).rejects.toMatchObject({ kind: 'unauthorized' });
    world.proxy.reset();
    await expect(provider.workItemReader.getWorkItem(id)).resolves.toMatchObject({ id });
  });

  test('a suspended installation is asked for a token from time to time, not by everybody who wants one', async () => {
    const clock = createHastyClock();
    const provider = world.provider({ clock });
    world.proxy.inject('POST /access_tokens', answer(403));
    for (let second = 0; second < 600; second++) {
      await expect(provider.workItemReader.getWorkItemBody('1')).rejects.toMatchObject({ kind: 'unauthorized' });
      clock.advance(1_000);
    }
    expect(world.proxy.requests.length).toBeLessThan(60);
    world.proxy.reset();
    clock.advance(60_000);
    await expect(provider.specReader.getDefaultHead()).resolves.toMatch(/^[0-9a-f]{40}$/);
  });

  test('an app that was removed from the repository does not take its issues for gone', async () => {
    const id = await people(world).openIssue();
    const provider = world.provider();
    world.proxy.inject('GET /repos/', answer(404));
    await expect(provider.workItemReader.getWorkItem(id)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(provider.workItemWriter.transitionStatus(id, 'ready')).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(provider.revisionReader.getRevision(id)).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('nobody at the address is a typed error', async () => {
    const provider = world.provider({ baseURL: 'http://127.0.0.1:9' });
    await expect(provider.workItemReader.listWorkItems()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test.each([
    ['HTML', html],
    ['JSON that breaks off', truncatedJSON],
    ['null', changedJSON(() => null)],
    ['no fields', changedJSON(() => ({}))],
    ['a token without an end', changedJSON(() => ({ token: 'ghs_x', expires_at: 'never' }))],
  ])('a token answer with %s is a failure of the server, and nothing is signed with it', async (_, fault) => {
    const provider = world.provider();
    world.proxy.inject('POST /access_tokens', fault);
    await expect(provider.specReader.getDefaultHead()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('without a token'),
    });
    expect(world.proxy.requests.filter(({ method }) => method === 'GET')).toEqual([]);
    world.proxy.reset();
    expect(await provider.specReader.getDefaultHead()).toMatch(/^[0-9a-f]{40}$/);
  });

  test("the bot's name is asked for once, but a failure is not remembered", async () => {
    const provider = world.provider();
    world.proxy.inject('GET /app', answer(404), 1);
    await expect(provider.workItemReader.listWorkItems()).rejects.toMatchObject({ kind: 'not-found' });
    await provider.workItemReader.listWorkItems();
    await Promise.all([provider.workItemReader.listWorkItems(), provider.revisionReader.listRevisions()]);
    expect(world.proxy.requests.filter(({ path, status }) => path === '/app' && status === 200)).toHaveLength(1);
  });
});

test('the limit is known of a repository with any name', async () => {
  const other = await createForgeWorld({ repo: 'app' });
  try {
    const provider = other.provider();
    await provider.specReader.getDefaultHead();
    expect(provider.rateLimit()).toMatchObject({ limit: 5_000 });
  } finally {
    await other.close();
  }
});

test("two forges in one process never get each other's token", async () => {
  const other = await createForgeWorld();
  try {
    await Promise.all([world, other].map((each) => each.provider().specReader.getDefaultHead()));
    const statuses = [world, other].map(({ proxy }) => proxy.requests.map(({ status }) => status));
    expect(statuses).toEqual([
      [201, 200],
      [201, 200],
    ]);
  } finally {
    await other.close();
  }
});

describe('a short-lived token', () => {
  test('is renewed before it ends', async () => {
    const hurried = await createForgeWorld({ tokenLifetimeMs: 2_000 });
    try {
      const provider = hurried.provider();
      const renewals = () => hurried.proxy.requests.filter(({ path }) => path.includes('access_tokens')).length;
      await vi.waitFor(async () => {
        await provider.specReader.getDefaultHead();
        if (renewals() < 2) throw new Error('The token is still good');
      }, 10_000);
      expect(hurried.proxy.requests.map(({ status }) => status)).not.toContain(401);
    } finally {
      await hurried.close();
    }
  });
});

describe('access for git', () => {
  test('is a header with a fresh token that clones; the address holds no credential', async () => {
    const access = await world.provider().gitAccess();
    expect(new URL(access.url).username).toBe('');
    expect(access.authorization).toMatch(/^Basic /);
    const refs = await runGitText(['ls-remote', access.url], { cwd: tmpdir(), env: credentialEnvironment(access) });
    expect(refs).toContain('refs/heads/main');
    await expect(runGitText(['ls-remote', access.url], { cwd: tmpdir() })).rejects.toThrow(/git ls-remote/);
  });
});

test('the provider has exactly the parts that the engine asks for', () => {
  const provider = createGitHubProvider({
    appID: 1,
    privateKey: anotherKey(),
    installationID: 1,
    owner: 'acme',
    repo: 'shop',
    specsDir: 'docs/specs/',
    defaultBranch: 'main',
  });
  expect(Object.keys(provider).toSorted()).toEqual([
    'gitAccess',
    'queries',
    'rateLimit',
    'revisionReader',
    'revisionWriter',
    'specReader',
    'workItemReader',
    'workItemWriter',
  ]);
});

function anotherKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

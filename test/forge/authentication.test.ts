import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clientOf, createForgeWorld, createSeededWorld, humanToken, requestToken, signJWT } from './forge-world.ts';
import type { ForgeWorld } from './forge-world.ts';

let world: ForgeWorld;

beforeAll(async () => {
  world = await createSeededWorld();
});

afterAll(() => world.close());

const seconds = (): number => Math.floor(Date.now() / 1000);

describe('the app itself', () => {
  test('is known by a token that it signed with its key', async () => {
    const reply = await clientOf(world.forge, `Bearer ${signJWT(world.forge)}`)('GET', '/app');
    expect(reply).toMatchObject({ status: 200, body: { id: world.forge.appID, slug: 'decree' } });
  });

  test('sees its installation with the permissions', async () => {
    const path = `/app/installations/${world.forge.installationID}`;
    const reply = await clientOf(world.forge, `Bearer ${signJWT(world.forge)}`)('GET', path);
    const permissions = {
      issues: 'write',
      pull_requests: 'write',
      contents: 'write',
      checks: 'read',
      statuses: 'read',
    };
    expect(reply).toMatchObject({ status: 200, body: { app_slug: 'decree', permissions } });
  });

  test.each([
    ['signed with another key', { key: otherKey() }],
    ['signed with the public text of a key', { algorithm: 'HS256' }],
    ['not signed at all', { algorithm: 'none' }],
    ['of another app', { claims: { iss: 4711 } }],
    ['that has expired', { claims: { exp: seconds() - 5 } }],
    ['that lives too long', { claims: { exp: seconds() + 3_600 } }],
    ['from the future', { claims: { iat: seconds() + 600 } }],
    ['without an end', { claims: { exp: undefined } }],
  ] as const)('is not known by a token %s', async (_, options) => {
    const reply = await clientOf(world.forge, `Bearer ${signJWT(world.forge, options)}`)('GET', '/app');
    expect(reply.status).toBe(401);
  });

  test('is told in the words that Octokit corrects its clock by', async () => {
    const late = await clientOf(world.forge, `Bearer ${signJWT(world.forge, { claims: { exp: 1 } })}`)('GET', '/app');
    expect(late.body).toMatchObject({
      message: expect.stringContaining("'Expiration time' claim ('exp') must be a numeric"),
    });
    expect(Math.abs(Date.parse(late.headers.get('date') ?? '') - Date.now())).toBeLessThan(5_000);
  });

  test('cannot work on the repository before it has an installation token', async () => {
    const reply = await clientOf(world.forge, `Bearer ${signJWT(world.forge)}`)('GET', 'issues');
    expect(reply.status).toBe(401);
  });
});

describe('installation tokens', () => {
  test('work until they expire, and not a moment longer', async () => {
    let now = Date.now();
    const timed = await createSeededWorld({ now: () => now });
    const token = await requestToken(timed.forge);
    expect(token).toMatch(/^ghs_/);
    const app = clientOf(timed.forge, `token ${token}`);
    expect((await app('GET', 'issues')).status).toBe(200);
    now += 3_600_000 - 1;
    expect((await app('GET', 'issues')).status).toBe(200);
    now += 1;
    expect(await app('GET', 'issues')).toMatchObject({ status: 401, body: { message: 'Bad credentials' } });
    await timed.close();
  });

  test('carry the end of their life and their permissions', async () => {
    const path = `/app/installations/${world.forge.installationID}/access_tokens`;
    const { status, body } = await clientOf(world.forge, `Bearer ${signJWT(world.forge)}`)('POST', path);
    const answer = z.object({ expires_at: z.string(), permissions: z.object({ issues: z.string() }) }).parse(body);
    expect(status).toBe(201);
    expect(Date.parse(answer.expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    expect(answer.permissions.issues).toBe('write');
  });

  test('allow no more than the installation does', async () => {
    const narrow = await createForgeWorld({ permissions: { issues: 'read' } });
    const { app } = narrow;
    expect((await app('GET', 'issues')).status).toBe(200);
    expect(await app('POST', 'issues', { title: 'x' })).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
    expect((await app('GET', 'pulls')).status).toBe(403);
    await narrow.close();
  });

  test('are not given for an installation that the app does not have', async () => {
    const app = clientOf(world.forge, `Bearer ${signJWT(world.forge)}`);
    expect((await app('POST', '/app/installations/99/access_tokens')).status).toBe(404);
  });

  test('do not open the calls that are for the app itself', async () => {
    expect((await world.app('GET', '/app')).status).toBe(401);
    expect((await world.human('GET', '/app')).status).toBe(401);
  });
});

test.each([undefined, 'Bearer nonsense', 'token ghs_0000', 'Basic !!', 'Bearer a.b.c', 'Digest x'])(
  'nobody gets in with %s',
  async (authorization) => {
    const reply = await clientOf(world.forge, authorization)('GET', 'issues');
    expect(reply.status).toBe(401);
  },
);

test("the human's token works in every form that clients use", async () => {
  const token = humanToken(world.forge);
  const basic = Buffer.from(`human:${token}`).toString('base64');
  for (const authorization of [`Bearer ${token}`, `token ${token}`, `Basic ${basic}`]) {
    expect((await clientOf(world.forge, authorization)('GET', '')).status).toBe(200);
  }
});

function otherKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

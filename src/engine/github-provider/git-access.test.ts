import { expect, test } from 'vitest';
import { readGitAccess } from './git-access.ts';

const client = { getInstallationToken: async () => 'ghs_x' };
const access = { client, at: { owner: 'acme', repo: 'shop' } };

test.each([
  [{ baseURL: 'https://ghe.example/api/v3' }, 'https://ghe.example/acme/shop.git'],
  [{ baseURL: 'https://ghe.example/api/v3/' }, 'https://ghe.example/acme/shop.git'],
  [{ baseURL: 'https://api.github.com' }, 'https://github.com/acme/shop.git'],
  [{}, 'https://github.com/acme/shop.git'],
  [{ gitURL: 'http://human:secret@127.0.0.1:8080/acme/shop.git' }, 'http://127.0.0.1:8080/acme/shop.git'],
])('with %o the repository is cloned from %s, with the token in a header', async (config, url) => {
  const authorization = `Basic ${Buffer.from('x-access-token:ghs_x').toString('base64')}`;
  expect(await readGitAccess(access, config, 0)).toEqual({ url, authorization });
});

test('an address that is none is a typed error that does not repeat it', async () => {
  const reading = readGitAccess(access, { gitURL: 'human:secret@nowhere' }, 0);
  await expect(reading).rejects.toMatchObject({ kind: 'rejected', message: expect.not.stringContaining('secret') });
});

import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { gitFailed } from '../../../git/git-error.ts';
import { runGit } from '../../../git/run-git.ts';
import { fetchFailure } from './fetch-failure.ts';

const server = createServer();
afterEach(() => {
  server.removeAllListeners('request');
  server.closeAllConnections();
  server.close();
});

/** What git makes of a server that answers so; null hangs up. */
async function failureAt(status: number | null): Promise<unknown> {
  server.on('request', (request, response) => {
    if (status === null) request.socket.destroy();
    else response.writeHead(status).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const error: unknown = await runGit(['ls-remote', `http://127.0.0.1:${port}/x.git`], { cwd: tmpdir() }).catch(
    (reason: unknown) => reason,
  );
  return fetchFailure(error);
}

test.each([
  [null, 'unavailable'],
  [500, 'unavailable'],
  [502, 'unavailable'],
  [429, 'unavailable'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'unauthorized'],
])('a forge that answers %s to git is waited for: %s', async (status, kind) => {
  expect(await failureAt(status)).toMatchObject({ name: 'ProviderError', kind, mayPass: true });
});

test('nobody at the address is waited for, too', async () => {
  const error: unknown = await runGit(['ls-remote', 'http://127.0.0.1:9/x.git'], { cwd: tmpdir() }).catch(
    (reason: unknown) => reason,
  );
  expect(fetchFailure(error)).toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
});

test.each([
  'fatal: write error: No space left on device',
  'error: unable to create temporary file: Permission denied\nfatal: failed to write object',
  'fatal: bad object refs/remotes/origin/main',
])('what is wrong on this machine stays what it is: %s', (stderr) => {
  const error = gitFailed(['fetch'], 128, stderr);
  expect(fetchFailure(error)).toBe(error);
});

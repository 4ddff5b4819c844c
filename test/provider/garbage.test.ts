import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { PatchError, ProviderError } from '../../src/domain/provider-error.ts';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import type { GitHubProvider } from '../../src/engine/github-provider/types.ts';
import { createHastyClock } from '../contracts/provider-clock.ts';

interface Garbage {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** What the server says next; it begins anew at the end. */
let script: readonly Garbage[] = [];
let position = 0;
let baseURL = '';

const server = createServer((request, response) => {
  if (request.url?.includes('access_tokens') === true) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ token: 'ghs_x', expires_at: new Date(Date.now() + 3_600_000).toISOString() }));
    return;
  }
  const garbage = script[position % script.length];
  position += 1;
  response.writeHead(garbage?.status ?? 500, { 'content-type': garbage?.type ?? '', ...garbage?.headers });
  response.end(garbage?.body);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const REVIEW = { verdict: 'approve', summary: 'x', comments: [{ path: 'a', line: 1, body: 'x' }] } as const;

const methods: ((provider: GitHubProvider) => Promise<unknown>)[] = [
  ({ workItemReader }) => workItemReader.listWorkItems(),
  ({ workItemReader }) => workItemReader.getWorkItem('5'),
  ({ workItemReader }) => workItemReader.getWorkItemBody('5'),
  ({ workItemWriter }) => workItemWriter.transitionStatus('5', 'ready'),
  ({ workItemWriter }) => workItemWriter.createWorkItem('x', 'y', [], [], { key: '1.1' }),
  ({ workItemWriter }) => workItemWriter.findWorkItem('1.1'),
  ({ workItemWriter }) => workItemWriter.updateWorkItem('5', 'x', ['y']),
  ({ workItemWriter }) => workItemWriter.findWorkItemComment('5', '1.1'),
  ({ revisionReader }) => revisionReader.listRevisions(),
  ({ revisionReader }) => revisionReader.getRevision('3'),
  ({ revisionReader }) => revisionReader.getRevisionFiles('3'),
  ({ revisionReader }) => revisionReader.getReviewHistory('3'),
  ({ revisionReader }) => revisionReader.getCheckRuns('3'),
  ({ revisionWriter }) => revisionWriter.createFromPatch('5', 'not a patch', 'branch'),
  ({ revisionWriter }) => revisionWriter.updateBody('3', 'x'),
  ({ revisionWriter }) => revisionWriter.postReview('3', REVIEW),
  ({ revisionWriter }) => revisionWriter.updateReview('3', '7', REVIEW),
  ({ revisionWriter }) => revisionWriter.mergeRevision('3', 'a'),
  ({ specReader }) => specReader.listSpecs(),
  ({ specReader }) => specReader.getBlob('a'),
  ({ queries }) => queries.getIssueDetails(5),
  ({ queries }) => queries.getPRForIssue(5),
  ({ queries }) => queries.getCIStatus(3),
];

const garbage: fc.Arbitrary<Garbage> = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 204, 302, 304, 400, 403, 404, 409, 422, 429, 500, 503, 599),
  type: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/html', 'application/octet-stream'),
  body: fc.oneof(fc.json(), fc.string(), fc.constantFrom('', '[', '{"message":"rate limit"}', '[[]]', '{"tree":{}}')),
  headers: fc.record(
    {
      'retry-after': fc.constantFrom('0', '5', '-1', 'soon', 'Fri, 31 Dec 1999 23:59:59 GMT', '999999999999'),
      link: fc.constantFrom('nonsense', '<x>; rel="last"', '<x>; rel="next"'),
      etag: fc.constantFrom('"a"', 'W/"b"', ''),
      'x-ratelimit-remaining': fc.constantFrom('0', '-5', 'many'),
      'x-ratelimit-reset': fc.constantFrom('0', '99999999999', 'never'),
    },
    { requiredKeys: [] },
  ),
});

test('whatever the server answers, methods reject with typed errors only', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(garbage, { minLength: 1, maxLength: 8 }), async (answers) => {
      script = answers;
      position = 0;
      for (const method of methods) {
        const provider = createGitHubProvider({
          appID: 1,
          privateKey: pem,
          installationID: 1,
          owner: 'acme',
          repo: 'shop',
          specsDir: 'docs',
          defaultBranch: 'main',
          baseURL,
          clock: createHastyClock(),
        });
        const error: unknown = await method(provider).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        const isTyped = error === null || error instanceof ProviderError || error instanceof PatchError;
        expect(isTyped, `${method.toString()} threw ${String(error)}`).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});

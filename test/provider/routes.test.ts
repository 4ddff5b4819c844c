import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createGitHubClient } from '../../src/engine/github-provider/github-client/create-github-client.ts';
import type { GitHubClient } from '../../src/engine/github-provider/github-client/types.ts';
import { matchRoute } from '../../src/forge/router.ts';
import { routes } from '../../src/forge/routes.ts';

const asked: string[] = [];
let client: GitHubClient;

/** A server that says yes to everything and writes down what it was asked for. */
const server = createServer((request, response) => {
  asked.push(`${request.method} ${new URL(request.url ?? '', 'http://x').pathname}`);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ token: 'ghs_x', expires_at: new Date(Date.now() + 3_600_000).toISOString() }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  client = createGitHubClient({
    appID: 1,
    installationID: 1,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    baseURL: `http://127.0.0.1:${port}/`,
  });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const at = { owner: 'acme', repo: 'shop' };
const issue = { ...at, issue_number: 5 };
const pull = { ...at, pull_number: 3 };
const sha = 'a'.repeat(40);

/** One call of every method of the client. */
const calls: Record<string, () => Promise<unknown>> = {
  'apps.getAuthenticated': () => client.apps.getAuthenticated(),
  'apps.getInstallation': () => client.apps.getInstallation({ installation_id: 1 }),
  'issues.get': () => client.issues.get(issue),
  'issues.listForRepo': () => client.issues.listForRepo(at),
  'issues.create': () => client.issues.create({ ...at, title: 'x' }),
  'issues.update': () => client.issues.update(issue),
  'issues.addLabels': () => client.issues.addLabels({ ...issue, labels: ['a'] }),
  'issues.removeLabel': () => client.issues.removeLabel({ ...issue, name: 'status:in progress' }),
  'issues.createComment': () => client.issues.createComment({ ...issue, body: 'x' }),
  'issues.listComments': () => client.issues.listComments(issue),
  'issues.listLabelsForRepo': () => client.issues.listLabelsForRepo(at),
  'issues.createLabel': () => client.issues.createLabel({ ...at, name: 'x' }),
  'pulls.list': () => client.pulls.list(at),
  'pulls.get': () => client.pulls.get(pull),
  'pulls.create': () => client.pulls.create({ ...at, title: 'x', head: 'a', base: 'main' }),
  'pulls.update': () => client.pulls.update(pull),
  'pulls.listFiles': () => client.pulls.listFiles(pull),
  'pulls.listReviews': () => client.pulls.listReviews(pull),
  'pulls.listReviewComments': () => client.pulls.listReviewComments(pull),
  'pulls.createReview': () => client.pulls.createReview({ ...pull, event: 'APPROVE' }),
  'pulls.dismissReview': () => client.pulls.dismissReview({ ...pull, review_id: 1, message: 'x' }),
  'pulls.merge': () => client.pulls.merge(pull),
  'repos.get': () => client.repos.get(at),
  'repos.getCombinedStatusForRef': () => client.repos.getCombinedStatusForRef({ ...at, ref: sha }),
  'repos.getContent': () => client.repos.getContent({ ...at, path: 'docs/a b.md' }),
  'repos.merge': () => client.repos.merge({ ...at, base: 'main', head: sha }),
  'checks.listForRef': () => client.checks.listForRef({ ...at, ref: sha }),
  'git.getRef': () => client.git.getRef({ ...at, ref: 'heads/feature/x' }),
  'git.getCommit': () => client.git.getCommit({ ...at, commit_sha: sha }),
  'git.getTree': () => client.git.getTree({ ...at, tree_sha: sha }),
  'git.getBlob': () => client.git.getBlob({ ...at, file_sha: sha }),
  'git.createBlob': () => client.git.createBlob({ ...at, content: '', encoding: 'utf-8' }),
  'git.createTree': () => client.git.createTree({ ...at, tree: [] }),
  'git.createCommit': () => client.git.createCommit({ ...at, message: 'x', tree: sha, parents: [] }),
  'git.createRef': () => client.git.createRef({ ...at, ref: 'refs/heads/x', sha }),
  'git.updateRef': () => client.git.updateRef({ ...at, ref: 'heads/feature/x', sha }),
};

test('[ENG-01] every method of the client is called here', () => {
  const { getInstallationToken, forgetToken, forgetAnswers, rateLimit, ...groups } = client;
  expect(
    [getInstallationToken, forgetToken, forgetAnswers, rateLimit].every((each) => typeof each === 'function'),
  ).toBe(true);
  const methods = Object.entries(groups).flatMap(([group, members]) =>
    Object.keys(members).map((method) => `${group}.${method}`),
  );
  expect(Object.keys(calls).toSorted()).toEqual(methods.toSorted());
});

test('the embedded forge serves exactly the calls of the client, and the one that signs it in', async () => {
  for (const call of Object.values(calls)) await call();
  const served = asked.map((line) => {
    const [method = '', path = ''] = line.split(' ');
    const { route } = matchRoute(method, path);
    return `${route.method} ${route.path}`;
  });
  expect([...new Set(served)].toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
});

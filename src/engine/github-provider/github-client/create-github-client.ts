import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { z } from 'zod';
import { ProviderError } from '../../../domain/provider-error.ts';
import { requireToken } from './require-token.ts';
import { createTokenCache } from './token-cache.ts';
import { createTransport } from './transport.ts';
import type { GitHubClient, GitHubClientConfig } from './types.ts';

/**
 * One Octokit, signed in as the app's installation, behind the narrow client. Nothing is sent before the first call.
 * Every method is a plain delegation: the annotations let the compiler compare Octokit's types with ours.
 */
export function createGitHubClient(config: GitHubClientConfig): GitHubClient {
  if (config.privateKey.trim() === '') {
    throw new ProviderError(
      'unauthorized',
      'The private key of the app is empty. Check the file that it was read from.',
    );
  }
  const transport = createTransport(config);
  const tokens = createTokenCache(Date.now);
  const octokit = new Octokit({
    authStrategy: createAppAuth,
    auth: {
      appId: config.appID,
      privateKey: config.privateKey,
      installationId: config.installationID,
      cache: tokens,
    },
    userAgent: config.userAgent ?? 'decree',
    request: { fetch: requireToken(transport.fetch) },
    log: octokitLog(config),
    ...(config.baseURL === undefined ? {} : { baseUrl: config.baseURL.replace(/\/+$/, '') }),
  });
  octokit.hook.wrap('request', async (request, options) => transport.complete(await request(options)));
  const { apps, checks, git, issues, pulls, repos } = octokit.rest;
  return {
    apps: {
      getAuthenticated: () => apps.getAuthenticated(),
      getInstallation: (params) => apps.getInstallation(params),
    },
    issues: {
      get: (params) => issues.get(params),
      listForRepo: (params) => issues.listForRepo(params),
      create: (params) => issues.create(params),
      update: (params) => issues.update(params),
      addLabels: (params) => issues.addLabels(params),
      removeLabel: (params) => issues.removeLabel(params),
      createComment: (params) => issues.createComment(params),
      listComments: (params) => issues.listComments(params),
      listLabelsForRepo: (params) => issues.listLabelsForRepo(params),
      createLabel: (params) => issues.createLabel(params),
    },
    pulls: {
      list: (params) => pulls.list(params),
      get: (params) => pulls.get(params),
      create: (params) => pulls.create(params),
      update: (params) => pulls.update(params),
      listFiles: (params) => pulls.listFiles(params),
      listReviews: (params) => pulls.listReviews(params),
      listReviewComments: (params) => pulls.listReviewComments(params),
      createReview: (params) => pulls.createReview(params),
      dismissReview: (params) => pulls.dismissReview(params),
      merge: (params) => pulls.merge(params),
    },
    repos: {
      get: (params) => repos.get(params),
      getCombinedStatusForRef: (params) => repos.getCombinedStatusForRef(params),
      getContent: (params) => repos.getContent(params),
      merge: (params) => repos.merge(params),
    },
    checks: {
      listForRef: (params) => checks.listForRef(params),
    },
    git: {
      getRef: (params) => git.getRef(params),
      getCommit: (params) => git.getCommit(params),
      getTree: (params) => git.getTree(params),
      getBlob: (params) => git.getBlob(params),
      createBlob: (params) => git.createBlob(params),
      createTree: (params) => git.createTree(params),
      createCommit: (params) => git.createCommit(params),
      createRef: (params) => git.createRef(params),
      updateRef: (params) => git.updateRef(params),
    },
    getInstallationToken: async () => installationToken.parse(await octokit.auth({ type: 'installation' })).token,
    forgetToken: () => tokens.clear(),
    forgetAnswers: transport.forgetAnswers,
    rateLimit: transport.rateLimit,
  };
}

const installationToken = z.object({ token: z.string().min(1) });

/** Octokit writes to the console unless it is given something else; its remarks are for debugging only. */
function octokitLog({ logger }: GitHubClientConfig) {
  const note = (message: string) => logger?.debug({ message }, 'octokit');
  return { debug: note, info: note, warn: note, error: note };
}

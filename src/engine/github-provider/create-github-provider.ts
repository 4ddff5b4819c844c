import { systemClock } from '../system-clock.ts';
import { createForgeCalls } from './forge-calls.ts';
import { readGitAccess } from './git-access.ts';
import { createGitHubClient } from './github-client/create-github-client.ts';
import { createPipelineReader } from './readers/pipeline-reader.ts';
import { createQueries } from './readers/queries.ts';
import { createRevisionReader } from './readers/revision-reader.ts';
import { createRevisionSource } from './readers/revision-source.ts';
import { createSpecReader } from './readers/spec-reader.ts';
import { createWorkItemReader } from './readers/work-item-reader.ts';
import { createBotName, type RepositoryAccess } from './repository-access.ts';
import { whyMoved, whyRepositoryHidden } from './repository-trouble.ts';
import type { GitHubProvider, GitHubProviderConfig } from './types.ts';
import { createCreateFromPatch } from './writers/create-from-patch.ts';
import { createRevisionWriter } from './writers/revision-writer.ts';
import { createWorkItemWriter } from './writers/work-item-writer.ts';

/** Everything decree asks of GitHub, GitHub Enterprise or the embedded forge. Sends nothing before the first call. */
export function createGitHubProvider(config: GitHubProviderConfig): GitHubProvider {
  const { clock = systemClock, random = Math.random, logger } = config;
  const client = createGitHubClient(config);
  const calls = createForgeCalls({
    clock,
    random,
    renewSignIn: () => client.forgetToken(),
    whyNotFound: () => whyRepositoryHidden(client, config, clock.now()),
    whyMoved: (answer) => whyMoved(client, config, answer, clock.now()),
    forgetAnswers: () => client.forgetAnswers(),
    ...(logger === undefined ? {} : { logger }),
  });
  const access: RepositoryAccess = {
    client,
    calls,
    at: { owner: config.owner, repo: config.repo },
    defaultBranch: config.defaultBranch,
    installationID: config.installationID,
    botName: createBotName(client, calls),
  };
  const pipelines = createPipelineReader(access, logger);
  const revisions = createRevisionSource(access, pipelines, clock);
  const revisionReader = createRevisionReader(access, revisions, pipelines);
  const { protectedPaths, findConflicts } = config;
  const createFromPatch = createCreateFromPatch({ access, revisions, clock, protectedPaths, findConflicts });

  return {
    workItemReader: createWorkItemReader(access, revisions),
    workItemWriter: createWorkItemWriter(access, revisions),
    revisionReader,
    revisionWriter: createRevisionWriter(access, revisions, createFromPatch),
    specReader: createSpecReader(access, config.specsDir),
    queries: createQueries(access, revisions, revisionReader, pipelines),
    rateLimit: () => client.rateLimit(),
    gitAccess: () => readGitAccess(access, config, clock.now()),
  };
}

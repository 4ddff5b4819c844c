import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { createEngine } from '../../engine/create-engine.ts';
import type { EngineOptions } from '../../engine/create-engine.ts';
import type { Engine } from '../../engine/engine-types.ts';
import { createGitHubProvider } from '../../engine/github-provider/create-github-provider.ts';
import type { GitHubProvider } from '../../engine/github-provider/types.ts';
import type { Logger, RuntimeAdapter } from '../../engine/ports.ts';
import { createClaudeAdapter } from '../../engine/runtime-adapter/claude/create-claude-adapter.ts';
import { probeSandbox } from '../../engine/runtime-adapter/guards/probe-sandbox.ts';
import { sandboxSettings } from '../../engine/runtime-adapter/guards/sandbox-settings.ts';
import type { RuntimeAdapterDeps } from '../../engine/runtime-adapter/types.ts';
import { createDecreeClone } from '../../engine/runtime-adapter/workspace/decree-clone.ts';
import { findConflicts } from '../../engine/runtime-adapter/workspace/find-conflicts.ts';
import { createSqliteJournal } from '../../journal/create-sqlite-journal.ts';
import { placesIn } from './find-project.ts';
import type { ProjectPlace } from './find-project.ts';
import type { ForgeAccess } from './open-forge.ts';
import { keyFileOf, openForge } from './open-forge.ts';
import { pushDefaultBranch } from './push-default-branch.ts';

export interface ProjectDeps {
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A configured repository with everything that an engine on it needs. */
export interface Project {
  readonly config: Config;
  readonly repoRoot: string;
  /** `owner/repo` on the forge. */
  readonly repository: string;
  /** Its page, or null where the forge has no pages. */
  readonly pageURL: string | null;
  readonly provider: GitHubProvider;
  readonly createRuntime: (deps: RuntimeAdapterDeps) => RuntimeAdapter;
  /** What a person should know before anything runs. */
  readonly warnings: readonly string[];
  /** Opens the journal. To be called once. */
  createEngine(options?: Pick<EngineOptions, 'onFirstRun'>): Engine;
  /** After the engine has stopped. */
  close(): Promise<void>;
}

/** From a configuration to provider, runtime and journal. Starts the embedded forge; sends nothing to GitHub. */
export async function openProject(place: ProjectPlace, deps: ProjectDeps): Promise<Project> {
  const { config, repoRoot } = place;
  await using opened = new AsyncDisposableStack();
  const onError = (error: unknown) => deps.logger.error({ err: error }, 'the embedded forge failed');
  const forge = await openForge(config, repoRoot, onError);
  opened.defer(() => forge.close());
  const provider = createProvider(forge, config, repoRoot, deps.logger);
  const createRuntime = (adapterDeps: RuntimeAdapterDeps) =>
    createClaudeAdapter(adapterConfig(config, repoRoot), adapterDeps);
  const warnings = [...(await seedForge(forge, config, repoRoot)), ...sandboxWarnings(config, deps.environment)];
  const kept = opened.move();

  return {
    config,
    repoRoot,
    repository: `${forge.owner}/${forge.repo}`,
    pageURL: pageOf(config),
    provider,
    createRuntime,
    warnings,
    createEngine: (options = {}) => {
      const journal = createSqliteJournal(placesIn(repoRoot).journal);
      kept.defer(() => journal.close());
      return createEngine({
        config,
        provider,
        runtime: createRuntime,
        journal,
        repoRoot,
        logger: deps.logger,
        ...(forge.listLagMs !== undefined && { listLagMs: forge.listLagMs }),
        ...options,
      });
    },
    close: () => kept.disposeAsync(),
  };
}

/** The embedded forge stands for this very repository: it follows the checkout's default branch. */
async function seedForge({ gitURL }: ForgeAccess, config: Config, repoRoot: string): Promise<string[]> {
  if (config.forge !== 'embedded' || gitURL === undefined) return [];
  const warning = await pushDefaultBranch(repoRoot, config.specPoller.defaultBranch, gitURL);
  return warning === null ? [] : [warning];
}

function createProvider(forge: ForgeAccess, config: Config, repoRoot: string, logger: Logger): GitHubProvider {
  const { appID, installationID, privateKey, owner, repo, baseURL, gitURL } = forge;
  const { specsDir, defaultBranch } = config.specPoller;
  const clone = createDecreeClone(repoRoot, () => provider.gitAccess());
  const provider = createGitHubProvider({
    appID,
    installationID,
    privateKey,
    owner,
    repo,
    ...(baseURL !== undefined && { baseURL }),
    ...(gitURL !== undefined && { gitURL }),
    specsDir,
    defaultBranch,
    logger,
    protectedPaths: config.agents.protectedPaths,
    findConflicts: (ours, theirsSHA) => findConflicts(clone, ours, theirsSHA, AbortSignal.timeout(CONFLICT_SEARCH_MS)),
  });
  return provider;
}

function pageOf(config: Config): string | null {
  if (config.forge === 'embedded') return null;
  const api = URL.parse(config.githubBaseURL ?? 'https://api.github.com');
  const host = api === null || api.host === 'api.github.com' ? 'github.com' : api.host;
  return `https://${host}/${config.repository}`;
}

const CONFLICT_SEARCH_MS = 120_000;

function adapterConfig(config: Config, repoRoot: string) {
  const { agents, logging, specPoller } = config;
  return {
    maxAgentDuration: agents.maxAgentDuration,
    logging: { agentSessions: logging.agentSessions, logsDir: path.resolve(repoRoot, logging.logsDir) },
    repoRoot,
    defaultBranch: specPoller.defaultBranch,
    setupCommand: agents.setupCommand,
    keepBranches: agents.keepBranches,
    reviewerWorkspace: agents.reviewerWorkspace,
    contextPaths: agents.contextPaths,
    agentNames: {
      planner: agents.agentPlanner,
      implementor: agents.agentImplementor,
      reviewer: agents.agentReviewer,
    },
    bashAllow: agents.bash.allow,
    sandbox: agents.sandbox,
    unreadablePaths: unreadablePaths(config, repoRoot),
  };
}

/** What is decree's own: the key, the forge's secrets, the journal, the way to command the engine. */
function unreadablePaths(config: Config, repoRoot: string): string[] {
  const { forge, journal, socket, log } = placesIn(repoRoot);
  const key = config.forge === 'github' ? [keyFileOf(config, repoRoot)] : [];
  return [...key, forge, journal, `${journal}-wal`, socket, log];
}

function sandboxWarnings(config: Config, environment: ProjectDeps['environment']): string[] {
  const { sandbox: mode } = config.agents;
  const obstacle = mode === 'off' ? null : probeSandbox(environment['PATH'] ?? '');
  const { warning } = sandboxSettings({ mode, obstacle });
  return warning === null ? [] : [warning];
}

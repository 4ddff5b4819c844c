import path from 'node:path';
import { parseConfig } from '../config/parse-config.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine-types.ts';
import { createGitHubProvider } from '../engine/github-provider/create-github-provider.ts';
import type { Journal } from '../engine/journal-port.ts';
import type { Logger } from '../engine/ports.ts';
import { createScriptedAdapter } from '../engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import type { EmbeddedForge } from '../forge/create-embedded-forge.ts';
import { createSampleAgents } from './sample-agents.ts';

export interface DemoEngineOptions {
  readonly forge: EmbeddedForge;
  readonly journal: Journal;
  readonly repoRoot: string;
  readonly logger: Logger;
  /** What scripted agents and CI may see: at least PATH. */
  readonly environment: Readonly<Record<string, string>>;
  /** One beat of an agent's work. */
  readonly paceMs: number;
}

const POLL_SECONDS = 0.25;

/** The engine of the demo: everything is real but the agents, who follow a script. */
export function createDemoEngine(options: DemoEngineOptions): Engine {
  const { forge, journal, repoRoot, logger, environment, paceMs } = options;
  const pollInterval = POLL_SECONDS;
  const config = parseConfig({
    forge: 'embedded',
    shutdownTimeout: 10,
    issuePoller: { pollInterval },
    specPoller: { pollInterval },
    prPoller: { pollInterval },
    agents: { dispatch: 'auto' },
  });
  const { specsDir, defaultBranch } = config.specPoller;
  const { url: baseURL, gitURL, owner, repo, appID, installationID, privateKey } = forge;
  return createEngine({
    config,
    repoRoot,
    logger,
    journal,
    listLagMs: 0,
    provider: createGitHubProvider({
      appID,
      privateKey,
      installationID,
      owner,
      repo,
      specsDir,
      defaultBranch,
      baseURL,
      gitURL,
      logger,
    }),
    runtime: (deps) =>
      createScriptedAdapter(
        {
          maxAgentDuration: 120,
          logging: { agentSessions: true, logsDir: path.join(repoRoot, '.decree', 'logs') },
          repoRoot,
          defaultBranch,
          agentEnvironment: () => environment,
          script: createSampleAgents(paceMs),
        },
        deps,
      ),
  });
}

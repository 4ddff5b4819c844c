import { mkdir, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseConfig } from '../config/parse-config.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine, EngineEvent } from '../engine/engine-types.ts';
import { createGitHubProvider } from '../engine/github-provider/create-github-provider.ts';
import type { Logger } from '../engine/ports.ts';
import { createScriptedAdapter } from '../engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import { createEmbeddedForge } from '../forge/create-embedded-forge.ts';
import type { EmbeddedForge } from '../forge/create-embedded-forge.ts';
import { createSqliteJournal } from '../journal/create-sqlite-journal.ts';
import { describeEvent } from './describe-event.ts';
import { mergeAsHuman } from './play-human.ts';
import { createSampleAgents } from './sample-agents.ts';
import { SAMPLE_CI_COMMAND, SPEC_PATH, seedSampleRepository } from './sample-repository.ts';

export interface DemoOptions {
  readonly print: (line: string) => void;
  readonly logger: Logger;
  /** What scripted agents and CI may see: at least PATH. */
  readonly environment: Readonly<Record<string, string>>;
  /** One beat of an agent's work. */
  readonly paceMs: number;
  /** How long the whole may take. */
  readonly timeoutMs: number;
  /** Where to put the sample; default: a new temporary folder, which is left for a look. */
  readonly folder?: string;
}

export interface DemoResult {
  readonly folder: string;
  readonly items: readonly DemoItem[];
  /** Whether every item was merged and closed. */
  readonly isComplete: boolean;
}

export interface DemoItem {
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly prNumber: number | null;
  readonly implementorRuns: number;
  readonly reviews: number;
}

const PLANNED_ITEMS = 3;
const POLL_SECONDS = 0.25;

/** The whole loop on the embedded forge: from an approved spec to merged pull requests, with scripted agents. */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { print } = options;
  const folder = options.folder ?? (await mkdtemp(path.join(os.tmpdir(), 'decree-demo-')));
  const repoRoot = path.join(folder, 'measure');
  await mkdir(repoRoot, { recursive: true });
  const forge = await createEmbeddedForge({
    dir: path.join(folder, 'forge'),
    repo: 'measure',
    ci: { command: SAMPLE_CI_COMMAND },
  });
  const journal = createSqliteJournal(path.join(repoRoot, '.decree', 'journal.db'));
  try {
    print(`The embedded forge listens on ${forge.url}.`);
    await seedSampleRepository(repoRoot, forge.gitURL);
    print(`A human approved ${SPEC_PATH}.`);
    const engine = createDemoEngine(forge, repoRoot, journal, options);
    const items = await followUntilDone(engine, forge, options);
    return { folder, items, isComplete: items.length === PLANNED_ITEMS && items.every((i) => i.status === 'closed') };
  } finally {
    await journal.close();
    await forge.close();
  }
}

function createDemoEngine(
  forge: EmbeddedForge,
  repoRoot: string,
  journal: ReturnType<typeof createSqliteJournal>,
  { logger, environment, paceMs }: DemoOptions,
): Engine {
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
  const { url: baseURL, owner, repo, appID, installationID, privateKey, gitURL } = forge;
  const clonedFrom = new URL(gitURL);
  clonedFrom.username = '';
  clonedFrom.password = '';
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
      gitURL: clonedFrom.href,
      logger,
    }),
    runtime: (deps) =>
      createScriptedAdapter(
        {
          maxAgentDuration: 120,
          logging: { agentSessions: false, logsDir: path.join(repoRoot, 'logs') },
          repoRoot,
          defaultBranch,
          agentEnvironment: () => environment,
          script: createSampleAgents(paceMs),
        },
        deps,
      ),
  });
}

/** Prints what happens, merges what is approved as the human would, and ends when every item is closed. */
async function followUntilDone(
  engine: Engine,
  forge: EmbeddedForge,
  { print, timeoutMs }: DemoOptions,
): Promise<DemoItem[]> {
  const items = new Map<number, DemoItem>();
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, timeoutMs);

  function change(number: number, details: Partial<DemoItem>): void {
    const known = items.get(number);
    const fresh = { number, title: '', status: '', prNumber: null, implementorRuns: 0, reviews: 0 };
    items.set(number, { ...fresh, ...known, ...details });
  }

  function merge(number: number): void {
    const prNumber = items.get(number)?.prNumber ?? null;
    if (prNumber === null) return;
    print(`  human     merges #${prNumber}`);
    mergeAsHuman(forge, prNumber).then(() => engine.refresh(), done.reject);
  }

  function follow(event: EngineEvent): void {
    const line = describeEvent(event);
    if (line !== null) print(`  ${line}`);
    if (event.type === 'prLinked') change(event.issueNumber, { prNumber: event.prNumber });
    if (event.type === 'agentStarted' && event.issueNumber !== undefined) {
      const { implementorRuns = 0, reviews = 0 } = items.get(event.issueNumber) ?? {};
      if (event.agentType === 'implementor') change(event.issueNumber, { implementorRuns: implementorRuns + 1 });
      if (event.agentType === 'reviewer') change(event.issueNumber, { reviews: reviews + 1 });
    }
    if (event.type !== 'issueStatusChanged') return;
    change(event.issueNumber, { title: event.title, status: event.newStatus ?? 'closed' });
    if (event.newStatus === 'approved') merge(event.issueNumber);
    const all = [...items.values()];
    if (all.length === PLANNED_ITEMS && all.every((item) => item.status === 'closed')) done.resolve();
  }

  const unsubscribe = engine.on(follow);
  try {
    await engine.start();
    await done.promise;
  } finally {
    clearTimeout(timer);
    unsubscribe();
    await engine.stop();
  }
  return [...items.values()].sort((a, b) => a.number - b.number);
}

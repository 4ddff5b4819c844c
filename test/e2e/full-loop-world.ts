import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { AgentStartParams, RuntimeAdapter } from '../../src/engine/ports.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine, EngineEvent } from '../../src/engine/engine-types.ts';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import type { RuntimeAdapterDeps } from '../../src/engine/runtime-adapter/types.ts';
import { mergeAsHuman } from '../../src/demo/play-human.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { gitText } from '../git-text.ts';
import { appAccessOf, providerOptions } from '../world/forge-access.ts';
import { seedRepository } from '../world/seed-repository.ts';

const SPEC = 'docs/specs/letters.md';
const FILES: Readonly<Record<string, string>> = {
  '.gitignore': '.decree\n.worktrees\n.claude\n.agentic-workflow-cache.json\n',
  'shared.txt': 'one\ntwo\nthree\n',
  [SPEC]: '---\nstatus: approved\n---\nEvery letter gets its file.\n',
};

/** The plan of the scenario. `alpha` and `beta` collide, `gamma` is sent back once, `delta` turns CI red once. */
export const PLAN = {
  role: 'planner',
  create: [
    planned('alpha', 'high'),
    planned('beta', 'high'),
    planned('gamma', 'medium'),
    planned('delta', 'low'),
    { ...planned('epsilon', 'low'), blockedBy: ['alpha', 'gamma'] },
  ],
  close: [],
  update: [],
};

function planned(title: string, priority: string) {
  return { tempID: title, title, body: `Write ${title}.`, labels: [`priority:${priority}`], blockedBy: [] };
}

/** What the repository holds when everything is merged. */
export const FINAL_FILES: Readonly<Record<string, string>> = {
  'delta.txt': 'delta\n',
  'epsilon.txt': 'epsilon\n',
  'gamma.txt': 'gamma, in two words\n',
  'shared.txt': 'one\nalpha and beta\nthree\n',
};

/** The files that an implementor writes, by item and round; null deletes. */
export function filesOf(title: string, round: number): Readonly<Record<string, string | null>> {
  switch (title) {
    case 'alpha':
    case 'beta':
      return { 'shared.txt': round === 1 ? `one\n${title}\nthree\n` : 'one\nalpha and beta\nthree\n' };
    case 'gamma':
      return { 'gamma.txt': round === 1 ? 'gamma\n' : 'gamma, in two words\n' };
    case 'delta':
      return round === 1 ? { 'delta.txt': 'delta\n', broken: 'x\n' } : { broken: null };
    default:
      return { [`${title}.txt`]: `${title}\n` };
  }
}

export function reviewOf(title: string, round: number) {
  const isSentBack = title === 'gamma' && round === 1;
  const comments = isSentBack ? [{ path: 'gamma.txt', line: 1, body: 'Two words, please.' }] : [];
  return { verdict: isSentBack ? 'needs-changes' : 'approve', summary: isSentBack ? 'Almost.' : 'Good.', comments };
}

export interface FullLoopWorld {
  readonly engine: Engine;
  readonly events: EngineEvent[];
  readonly errors: object[];
  readonly repoRoot: string;
  /** Git on the forge's repository. */
  git(...args: string[]): Promise<string>;
  /** Resolves when every item of the plan is merged and closed; the human merges whatever is approved and green. */
  playHuman(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** A repository on the embedded forge with one approved spec, CI that hates the file `broken`, and an engine. */
export async function createFullLoopWorld(
  runtime: (deps: RuntimeAdapterDeps, repoRoot: string) => RuntimeAdapter,
): Promise<FullLoopWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-full-'));
  const repoRoot = path.join(folder, 'checkout');
  const forge = await createEmbeddedForge({ dir: path.join(folder, 'forge'), ci: { command: 'test ! -e broken' } });
  await seedRepository(repoRoot, forge.gitURL, FILES);
  const events: EngineEvent[] = [];
  const errors: object[] = [];
  const silent = () => {};
  const pollInterval = 0.3;
  const engine = createEngine({
    config: {
      forge: 'embedded',
      shutdownTimeout: 1,
      issuePoller: { pollInterval },
      specPoller: { pollInterval },
      prPoller: { pollInterval },
      agents: { dispatch: 'auto', maxConcurrent: 2, retryBackoff: { first: 0.5, longest: 2 } },
      ci: { autoFix: true },
    },
    repoRoot,
    listLagMs: 0,
    logger: { debug: silent, info: silent, warn: silent, error: (fields) => errors.push(fields) },
    provider: createGitHubProvider(providerOptions(appAccessOf(forge))),
    runtime: (deps) => runtime(deps, repoRoot),
  });
  engine.on((event) => events.push(event));
  return {
    engine,
    events,
    errors,
    repoRoot,
    git: (...args) => gitText(path.join(folder, 'forge', 'repository.git'), ...args),
    playHuman: (timeoutMs) => playHuman(engine, forge, events, timeoutMs),
    close: async () => {
      void engine.stop();
      await engine.stop();
      await forge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function playHuman(
  engine: Engine,
  forge: EmbeddedForge,
  events: EngineEvent[],
  timeoutMs: number,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  const isOver = () => events.filter((e) => e.type === 'issueStatusChanged' && e.newStatus === null).length === 5;
  const wake = { now: Promise.withResolvers<void>() };
  const unsubscribe = engine.subscribe(() => wake.now.resolve());
  while (!isOver()) {
    if (Date.now() > end) throw new Error(`not over after ${timeoutMs} ms:\n${describe(events)}`);
    wake.now = Promise.withResolvers<void>();
    const { workItems, revisions } = engine.getSnapshot();
    for (const item of workItems) {
      const revision = revisions.find(({ id }) => id === item.linkedRevision);
      const isGreen = revision?.pipeline?.status === 'success' && revision.isMergeable !== false;
      // Somebody else's merge a moment ago may have made it unmergeable: then the engine has to notice.
      if (item.status === 'approved' && revision && isGreen)
        await mergeAsHuman(forge, Number(revision.id)).catch(() => {});
    }
    const timer = setTimeout(() => wake.now.resolve(), 500);
    await wake.now.promise;
    clearTimeout(timer);
  }
  unsubscribe();
}

function describe(events: readonly EngineEvent[]): string {
  return events.map((event) => JSON.stringify(event)).join('\n');
}

/** Counts the rounds of each item and role, so that a script knows which one it plays. */
export function createRounds(): (params: AgentStartParams) => number {
  const counts = new Map<string, number>();
  return (params) => {
    const id = params.role === 'planner' ? 'planner' : `${params.role} ${params.workItemID}`;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts.get(id) ?? 1;
  };
}

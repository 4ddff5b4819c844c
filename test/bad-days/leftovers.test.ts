import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ReviewerStartParams } from '../../src/engine/ports.ts';
import { identifyProcess } from '../../src/engine/runtime-adapter/session/agent-process-identity.ts';
import { createSessionAdapter } from '../../src/engine/runtime-adapter/session/create-session-adapter.ts';
import { findSessionProcesses } from '../../src/engine/runtime-adapter/session/end-session-processes.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { runGitText } from '../../src/git/run-git.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import { createManualClock } from '../contracts/manual-clock.ts';
import type { EngineProcessOptions } from '../e2e/engine-process.ts';
import { liveEngine, type EngineLife } from '../e2e/live-engine.ts';
import { createTestEngine } from '../engine/create-test-engine.ts';
import { createFakeForge } from '../engine/fake-forge.ts';
import { createFakeRuntime } from '../engine/fake-runtime.ts';
import { settle, until } from '../engine/until.ts';
import { appAccessOf } from '../world/forge-access.ts';
import { planSteps, writeSteps } from '../world/scripted-steps.ts';
import { approvedSpec, seedRepository } from '../world/seed-repository.ts';

/** What an engine that was killed leaves behind, and what the next one makes of it. */
let folder = '';
let forge: EmbeddedForge | null = null;
const lives: EngineLife[] = [];
afterEach(async () => {
  for (const life of lives.splice(0)) {
    life.kill('SIGKILL');
    await life.over;
  }
  await forge?.close();
  forge = null;
  await rm(folder, { recursive: true, force: true });
});

/** A repository with one approved spec, on a forge of its own. */
async function createRepository(): Promise<Omit<EngineProcessOptions, 'scenario'>> {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-leftovers-'));
  forge = await createEmbeddedForge({ dir: path.join(folder, 'forge') });
  const repoRoot = path.join(folder, 'checkout');
  await seedRepository(repoRoot, forge.gitURL, { 'docs/specs/hello.md': approvedSpec('Say hello.') });
  return { repoRoot, forge: appAccessOf(forge) };
}

const PLANNER: EngineProcessOptions['scenario']['runs'][number] = {
  role: 'planner',
  steps: planSteps([{ tempID: 'hello', title: 'Say hello' }]),
};

/** It leaves a process of its group, one that left it, and a file that nobody has committed. */
const ENDLESS: EngineProcessOptions['scenario']['runs'][number] = {
  role: 'implementor',
  steps: [{ do: 'run', command: 'echo half > hello.txt; setsid sleep 1000 & sleep 1000 & sleep 1000' }],
};

const DONE: EngineProcessOptions['scenario']['runs'][number] = {
  role: 'implementor',
  steps: writeSteps('hello.txt', 'whole\n'),
};

function live(options: EngineProcessOptions): EngineLife {
  const life = liveEngine(options);
  lives.push(life);
  return life;
}

test('after SIGKILL its agents are ended, their work is saved, their folders are removed, and the lock is free', async () => {
  const repository = await createRepository();
  const { repoRoot } = repository;
  const first = live({ ...repository, scenario: { runs: [PLANNER, ENDLESS] } });
  const sessionOf = (life: EngineLife) =>
    life.events.flatMap((event) =>
      event.type === 'agentStarted' && event.agentType === 'implementor' ? [event.sessionID] : [],
    )[0];
  await until('the implementor', () => sessionOf(first) !== undefined, 50_000);
  const session = sessionOf(first) ?? '';
  await expect.poll(() => findSessionProcesses(session), { timeout: 30_000 }).toHaveLength(4);

  // The same repository by another name.
  await symlink(repoRoot, path.join(folder, 'link'));
  const second = createTestEngine({ repoRoot: path.join(folder, 'link') });
  await expect(second.engine.start()).rejects.toThrow(
    /Another decree is at work on this repository.*Stop it first, or use it/,
  );

  first.kill('SIGKILL');
  await first.over;
  expect(await findSessionProcesses(session)).not.toEqual([]);

  const third = live({ ...repository, scenario: { runs: [PLANNER, DONE] } });
  const isReviewed = () => third.events.some((e) => e.type === 'issueStatusChanged' && e.newStatus === 'review');
  await until('the review', isReviewed, 50_000);
  third.kill('SIGTERM');
  await third.over;
  expect(await findSessionProcesses(session)).toEqual([]);
  const clone = { cwd: path.join(repoRoot, '.decree/repo.git') };
  expect(await runGitText(['show', `refs/decree/runs/${session}:hello.txt`], clone)).toBe('half');
  expect(await readdir(path.join(clone.cwd, 'worktrees')).catch(() => [])).toEqual([]);
  expect(await readdir(path.join(repoRoot, '.worktrees')).catch(() => [])).toEqual([]);
  expect(await runGitText(['status', '--porcelain'], { cwd: repoRoot })).toBe('?? .agentic-workflow-cache.json');
});

test("a killed engine's agent is known to the next one by its process, and by nothing else that has its id", async () => {
  const adapterOf = (pid: number | null) =>
    createSessionAdapter(
      { maxAgentDuration: 60 },
      { clock: createManualClock(), logger: { debug() {}, info() {}, warn() {}, error() {} } },
      {
        open: async () => ({ folder: '/', conflicts: [], extract: async () => null, close: async () => null }),
        takeOver: async () => null,
      },
      {
        assemblePrompt: async () => '',
        launch: async () => ({
          completion: new Promise(() => undefined),
          usage: () => ({ model: null, turns: null, inputTokens: null, outputTokens: null, costUSD: null }),
          logFilePath: null,
          pid,
        }),
      },
    );
  const params: ReviewerStartParams = {
    role: 'reviewer',
    sessionID: 'killed',
    attempt: 1,
    workItemID: '1',
    revisionID: '2',
    headRef: 'b',
  };
  // Without the mark in its environment.
  const agent = spawn('sleep', ['1000'], { detached: true, env: { PATH: process.env['PATH'] } });
  const gone = new Promise((resolve) => agent.once('exit', (_, signal) => resolve(signal)));
  const handle = await adapterOf(agent.pid ?? 0).startAgent(params);
  const other = await identifyProcess(process.pid);
  const reused = { pid: agent.pid ?? 0, begun: other?.begun ?? '' };
  await adapterOf(null).takeOver('killed', reused);
  expect(agent.exitCode ?? agent.signalCode).toBeNull();
  await adapterOf(null).takeOver('killed', handle.process);
  expect(await gone).toBe('SIGKILL');
});

test('the journal remembers the process of a run, and the next engine is given it', async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-leftovers-'));
  const [world, journal, runtime] = [createFakeForge(), createMemoryJournal(), createFakeRuntime()];
  const begun = { pid: 4711, begun: 'then' };
  const { startAgent } = runtime.adapter;
  runtime.adapter.startAgent = async (params) => ({ ...(await startAgent(params)), process: begun });
  world.addItem({ id: '1', status: 'ready' });
  const config = { agents: { dispatch: 'auto' } } as const;
  const start = async (root: string, adapter: typeof runtime) => {
    const made = createTestEngine({
      repoRoot: path.join(folder, root),
      forge: world,
      journal,
      config,
      runtime: adapter,
    });
    await made.engine.start();
    await settle();
    return made;
  };
  const killed = await start('one', runtime);
  const given: unknown[] = [];
  const next = createFakeRuntime();
  const { takeOver } = next.adapter;
  next.adapter.takeOver = (sessionID, agent) => {
    given.push(agent);
    return takeOver(sessionID);
  };
  const heir = await start('two', next);
  expect(given).toEqual([begun]);
  for (const { engine } of [killed, heir]) {
    void engine.stop();
    await engine.stop();
  }
});

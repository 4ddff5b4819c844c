import { expect, test, vi } from 'vitest';
import { createManualClock } from '../../../../test/contracts/manual-clock.ts';
import type { PatchArtifact } from '../../../domain/agent-result.ts';
import type { AgentRunHandle, ReviewerStartParams } from '../../ports.ts';
import { RunError } from '../../ports.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { AgentRuntime, RunningAgent } from './agent-runtime.ts';
import { createSessionAdapter } from './create-session-adapter.ts';

const PARAMS: ReviewerStartParams = {
  role: 'reviewer',
  sessionID: 's1',
  attempt: 1,
  workItemID: '7',
  revisionID: '9',
  headRef: 'feature',
};
const REVIEW = { role: 'reviewer', review: { verdict: 'approve', summary: 'Good.', comments: [] } } as const;

interface BenchOptions {
  readonly agent?: Partial<RunningAgent>;
  readonly workspace?: Partial<Workspace>;
  readonly opened?: Promise<void>;
}

/** A session on a workspace and an agent that the test holds in its hands. */
function createBench(options: BenchOptions = {}) {
  const clock = createManualClock();
  const events: string[] = [];
  const log = (level: string) => (_fields: object, message: string) => void events.push(`${level}: ${message}`);
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const completion = Promise.withResolvers<unknown>();
  const workspace: Workspace = {
    folder: '/work',
    conflicts: [],
    extract: async () => null,
    close: async ({ saveWork }) => {
      events.push(saveWork ? 'saved and removed' : 'removed');
      return saveWork ? 'refs/decree/runs/s1' : null;
    },
    ...options.workspace,
  };
  const agent: RunningAgent = {
    completion: completion.promise,
    usage: () => ({ model: 'm', turns: 2, inputTokens: 3, outputTokens: 4, costUSD: 0.5 }),
    finish: async (outcome) => void events.push(`finished: ${outcome}`),
    logFilePath: '/logs/x.log',
    pid: process.pid,
    ...options.agent,
  };
  let isStopped = (): boolean => false;
  const runtime: AgentRuntime = {
    assemblePrompt: async () => 'prompt',
    launch: async (_params, { signal }) => {
      isStopped = () => signal.aborted;
      return agent;
    },
  };
  const open = async (): Promise<Workspace> => {
    await options.opened;
    return workspace;
  };
  const adapter = createSessionAdapter(
    { maxAgentDuration: 10 },
    { clock, logger },
    { open, takeOver: async () => null },
    runtime,
  );
  return { adapter, clock, completion, events, isStopped: () => isStopped() };
}

const failureOf = (handle: AgentRunHandle): Promise<unknown> => handle.result.catch((error: unknown) => error);

test('when the result comes the workspace is gone and the session is finished, in that order', async () => {
  const { adapter, completion, events } = createBench();
  const handle = await adapter.startAgent(PARAMS);
  completion.resolve(REVIEW);
  await expect(handle.result).resolves.toEqual(REVIEW);
  expect(events).toEqual(['removed', 'finished: completed']);
  expect(handle).toMatchObject({ logFilePath: '/logs/x.log', process: { pid: process.pid } });
});

test('a result is kept before the workspace is removed; one that cannot be is saved as work', async () => {
  const first = createBench();
  const kept: unknown[] = [];
  const keep = async (...args: unknown[]) => {
    first.events.push('kept');
    kept.push(...args);
  };
  const handle = await first.adapter.startAgent(PARAMS, keep);
  first.completion.resolve(REVIEW);
  await handle.result;
  expect(first.events).toEqual(['kept', 'removed', 'finished: completed']);
  expect(kept).toEqual([REVIEW, await handle.usage]);

  const second = createBench();
  const unkept = await second.adapter.startAgent(PARAMS, () => Promise.reject(new Error('the disk is full')));
  second.completion.resolve(REVIEW);
  await expect(unkept.result).resolves.toEqual(REVIEW);
  expect(second.events).toEqual(['error: result could not be stored', 'saved and removed', 'finished: completed']);
});

test('usage is told on failure as well, with the time that the agent ran', async () => {
  const { adapter, clock, completion } = createBench();
  const handle = await adapter.startAgent(PARAMS);
  clock.advance(1_500);
  completion.reject(new RunError('over-budget', 'too expensive'));
  expect(await failureOf(handle)).toMatchObject({ kind: 'over-budget', savedRef: 'refs/decree/runs/s1' });
  expect(await handle.usage).toMatchObject({ turns: 2, costUSD: 0.5, durationMs: 1_500 });
});

test('an error of the agent is the cause of the failure', async () => {
  const { adapter, completion } = createBench();
  const handle = await adapter.startAgent(PARAMS);
  const cause = new TypeError('socket closed');
  completion.reject(cause);
  expect(await failureOf(handle)).toMatchObject({ kind: 'failed', message: 'socket closed', cause });
});

test('whatever a stopped agent answers, the run was cancelled', async () => {
  const { adapter, completion, events, isStopped } = createBench();
  const handle = await adapter.startAgent(PARAMS);
  adapter.cancelAgent('s1');
  expect(isStopped()).toBe(true);
  completion.resolve(REVIEW);
  expect(await failureOf(handle)).toMatchObject({ kind: 'cancelled' });
  expect(events).toEqual(['saved and removed', 'finished: cancelled']);
});

test('an agent that does not listen to being stopped is given up after a while', async () => {
  const { adapter, clock } = createBench();
  const handle = await adapter.startAgent(PARAMS);
  adapter.cancelAgent('s1');
  clock.advance(29_999);
  expect(await Promise.race([handle.result, Promise.resolve('pending')])).toBe('pending');
  clock.advance(1);
  expect(await failureOf(handle)).toMatchObject({ kind: 'cancelled' });
});

test('the output of a stopped run ends at once, also while its agent is still ending', async () => {
  const { adapter } = createBench();
  const handle = await adapter.startAgent(PARAMS);
  const next = handle.output[Symbol.asyncIterator]().next();
  adapter.cancelAgent('s1');
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await Promise.race([handle.result, Promise.resolve('pending')])).toBe('pending');
});

test('the time that set-up takes does not count as the agent’s', async () => {
  const opening = Promise.withResolvers<void>();
  const { adapter, clock, completion } = createBench({ opened: opening.promise });
  const started = adapter.startAgent(PARAMS);
  clock.advance(9_999);
  opening.resolve();
  const handle = await started;
  clock.advance(9_999);
  completion.resolve(REVIEW);
  await expect(handle.result).resolves.toEqual(REVIEW);
  expect((await handle.usage).durationMs).toBe(9_999);
});

test('the time that extracting a patch takes does not count as the agent’s', async () => {
  const artifact = Promise.withResolvers<PatchArtifact>();
  const { adapter, clock, completion } = createBench({ workspace: { extract: () => artifact.promise } });
  const start = { from: 'default-branch' } as const;
  const handle = await adapter.startAgent({ ...PARAMS, role: 'implementor', branchName: 'b', start, repair: null });
  completion.resolve({ role: 'implementor', outcome: 'completed', summary: 'Done.' });
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(60_000);
  artifact.resolve({ patch: 'patch', baseSHA: 'base', treeSHA: 'tree' });
  await expect(handle.result).resolves.toMatchObject({ patch: 'patch' });
});

test('the first reason to stop stays', async () => {
  const { adapter, clock, completion } = createBench();
  const handle = await adapter.startAgent(PARAMS);
  clock.advance(10_000);
  adapter.cancelAgent('s1');
  completion.reject(new Error('aborted'));
  expect(await failureOf(handle)).toMatchObject({ kind: 'timed-out' });
});

test('a cancellation that comes when the outcome is fixed changes nothing', async () => {
  const removing = Promise.withResolvers<null>();
  const { adapter, completion } = createBench({ workspace: { close: () => removing.promise } });
  const handle = await adapter.startAgent(PARAMS);
  completion.resolve(REVIEW);
  await new Promise((resolve) => setImmediate(resolve));
  adapter.cancelAgent('s1');
  removing.resolve(null);
  await expect(handle.result).resolves.toEqual(REVIEW);
});

test('no timer is left after a run', async () => {
  const { adapter, clock, completion } = createBench();
  const handle = await adapter.startAgent(PARAMS);
  completion.resolve(REVIEW);
  await handle.result;
  expect(clock.pending).toBe(0);
});

test('a workspace or a transcript that cannot be closed is logged and does not change the outcome', async () => {
  const broken = async (): Promise<never> => {
    throw new Error('disk full');
  };
  const { adapter, completion, events } = createBench({ workspace: { close: broken }, agent: { finish: broken } });
  const handle = await adapter.startAgent(PARAMS);
  completion.resolve(REVIEW);
  await expect(handle.result).resolves.toEqual(REVIEW);
  expect(events).toEqual([
    'error: workspace could not be saved and removed',
    'error: agent session could not be closed',
  ]);
});

test('a result that nobody looks at is no unhandled rejection', async () => {
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', unhandled);
  try {
    const { adapter, completion } = createBench();
    const handle = await adapter.startAgent(PARAMS);
    completion.reject(new Error('nobody cares'));
    await handle.usage;
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});

test('a start can be cancelled while the prompt is being assembled', async () => {
  const clock = createManualClock();
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const close = vi.fn<Workspace['close']>(async () => null);
  const launch = vi.fn<AgentRuntime['launch']>();
  const open = async (): Promise<Workspace> => ({
    folder: '/work',
    conflicts: [],
    extract: async () => null,
    close,
  });
  const assemblePrompt = (): Promise<string> => new Promise(() => undefined);
  const adapter = createSessionAdapter(
    { maxAgentDuration: 10 },
    { clock, logger },
    { open, takeOver: async () => null },
    { assemblePrompt, launch },
  );
  const started = adapter.startAgent(PARAMS);
  adapter.cancelAgent('s1');
  await expect(started).rejects.toMatchObject({ kind: 'cancelled' });
  expect(close).toHaveBeenCalledWith({ saveWork: false });
  expect(launch).not.toHaveBeenCalled();
  expect(clock.pending).toBe(0);
});

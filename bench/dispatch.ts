import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { createAgentProcess } from '../src/engine/runtime-adapter/claude/agent-process.ts';
import { runGit } from '../src/git/run-git.ts';
import { startClaudeHarness, type ClaudeHarness } from '../test/claude/claude-harness.ts';
import { implementorParams } from '../test/world/implementor-params.ts';
import { hang } from '../test/scripted-model/turn.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { finding, inTurns, timed } from './harness/measure.ts';

/** From `startAgent` to the SDK's init message, set-up of the project excluded, over the bare steps that it takes. */
export const dispatch: Benchmark = {
  name: 'dispatch',
  asks: "how long until an agent runs: over bare `git fetch`, `git worktree add` and the SDK's start",
  run: async ({ scale }) => {
    const [rounds, crowd, crowdRounds] = scale === 'full' ? [7, 16, 2] : [1, 1, 0];
    await using harness = await startClaudeHarness();
    const start = await createDispatch(harness);
    const bare = await createBareStart(harness, crowd);
    const idle: number[] = [];
    const watched = async (count: number) => {
      const before = cpuTimes();
      const ms = await measure(count, start);
      idle.push(idleShare(before, cpuTimes()));
      return ms;
    };
    const one = await inTurns(rounds, { ours: () => watched(1), bare: () => measure(1, bare) });
    if (crowdRounds > 0) idle.length = 0;
    const crowded = { ours: () => watched(crowd), bare: () => measure(crowd, bare) };
    const many = crowdRounds === 0 ? one : await inTurns(crowdRounds, crowded, true);
    const wanted = { of: 'ratio', is: 'at most', limit: 1.3 } as const;
    const baseline = { name: 'bare', values: one.bare };
    const crowdBaseline = { name: `${crowd} bare ones at once`, values: many.bare };
    return [
      finding({ what: 'one run', unit: 'ms', ours: one.ours, baseline, wanted }),
      finding({ what: `${crowd} at once, all of them`, unit: 'ms', ours: many.ours, baseline: crowdBaseline, wanted }),
      finding({ what: `idle while ${crowd} start at once`, unit: '% of all cores', ours: idle }),
    ];
  },
};

/** Starts an agent; resolves, when it runs, to what ends it. */
type Start = () => Promise<() => Promise<void>>;

/** So many at once: until the last one runs. They are ended afterwards. */
async function measure(count: number, start: Start): Promise<number> {
  const ends: (() => Promise<void>)[] = [];
  const ms = await timed(() => Promise.all(Array.from({ length: count }, async () => ends.push(await start()))));
  await Promise.all(ends.map((end) => end()));
  return ms;
}

async function createDispatch(harness: ClaudeHarness): Promise<Start> {
  const adapter = await harness.adapter('dispatch', [hang], { config: { setupCommand: false } });
  return async () => {
    const params = implementorParams();
    const handle = await adapter.startAgent(params);
    return async () => {
      adapter.cancelAgent(params.sessionID);
      await handle.result.catch(() => undefined);
    };
  };
}

/** Each in a clone of its own: a bare `git fetch` fails when it meets a worktree that is only half made. */
async function createBareStart(harness: ClaudeHarness, crowd: number): Promise<Start> {
  const { fixture, model } = harness;
  const baseURL = model.play('bare', [hang]);
  const free: string[] = [];
  for (let number = 0; number < crowd; number++) {
    const clone = join(fixture.checkout, '..', `bare-${number}.git`);
    await runGit(['clone', '--quiet', '--bare', fixture.remote, clone], { cwd: fixture.checkout });
    free.push(clone);
  }
  return async () => {
    const clone = free.pop();
    if (clone === undefined) throw new Error('There are not enough clones.');
    const folder = join(fixture.checkout, '..', randomUUID());
    const child = createAgentProcess(randomUUID());
    await runGit(['fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*'], { cwd: clone });
    await runGit(['worktree', 'add', '--quiet', '--detach', folder, 'main'], { cwd: clone });
    const session = query({
      prompt: 'Wait.',
      options: {
        cwd: folder,
        env: harness.environment(baseURL),
        settingSources: [],
        spawnClaudeCodeProcess: child.spawn,
      },
    });
    const { value: first } = await session.next();
    if (first?.type !== 'system' || first.subtype !== 'init') throw new Error('The bare session did not start.');
    return async () => {
      session.close();
      await child.end(0);
      await rm(folder, { recursive: true, force: true });
      free.push(clone);
    };
  };
}

function cpuTimes(): { idle: number; all: number } {
  const times = os.cpus().map((cpu) => cpu.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.map((each) => sum(Object.values(each)))) };
}

function idleShare(before: ReturnType<typeof cpuTimes>, after: ReturnType<typeof cpuTimes>): number {
  return (100 * (after.idle - before.idle)) / Math.max(after.all - before.all, 1);
}

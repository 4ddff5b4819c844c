import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { createAgentProcess } from '../src/engine/runtime-adapter/claude/agent-process.ts';
import { runGit } from '../src/git/run-git.ts';
import { implementorParams, startClaudeHarness, type ClaudeHarness } from '../test/claude/claude-harness.ts';
import { hang } from '../test/scripted-model/turn.ts';

export interface DispatchBench {
  /** `startMs` over `bareMs`: what decree adds. */
  readonly ratio: number;
  /** Median time from `startAgent` to the SDK's init message. */
  readonly startMs: number;
  /** Median time of bare `git fetch`, `git worktree add` and the SDK's start, one after the other. */
  readonly bareMs: number;
}

/** How long it takes until an agent runs, set-up of the project excluded, over the bare steps that it takes. */
export async function benchDispatch(rounds = 7): Promise<DispatchBench> {
  await using harness = await startClaudeHarness();
  const dispatch = await createDispatch(harness);
  const bare = await createBareStart(harness);
  const starts: number[] = [];
  const bares: number[] = [];
  // One round of each to warm up, then in turns, so that a busy moment of the machine meets both.
  await dispatch();
  await bare();
  for (let round = 0; round < rounds; round += 1) {
    starts.push(await dispatch());
    bares.push(await bare());
  }
  const [startMs, bareMs] = [median(starts), median(bares)];
  return { ratio: startMs / bareMs, startMs, bareMs };
}

async function createDispatch(harness: ClaudeHarness): Promise<() => Promise<number>> {
  const adapter = await harness.adapter('dispatch', [hang], { config: { setupCommand: false } });
  return async () => {
    const params = implementorParams();
    const begin = performance.now();
    const handle = await adapter.startAgent(params);
    const ms = performance.now() - begin;
    adapter.cancelAgent(params.sessionID);
    await handle.result.catch(() => undefined);
    return ms;
  };
}

async function createBareStart(harness: ClaudeHarness): Promise<() => Promise<number>> {
  const { fixture, model } = harness;
  const clone = join(fixture.checkout, '..', 'bare.git');
  const baseURL = model.play('bare', [hang]);
  await runGit(['clone', '--quiet', '--bare', fixture.remote, clone], { cwd: fixture.checkout });
  return async () => {
    const folder = join(fixture.checkout, '..', randomUUID());
    const child = createAgentProcess(randomUUID());
    const begin = performance.now();
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
    const ms = performance.now() - begin;
    if (first?.type !== 'system' || first.subtype !== 'init') throw new Error('The bare session did not start.');
    session.close();
    await child.end(0);
    await rm(folder, { recursive: true, force: true });
    return ms;
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import type { EngineProcessOptions } from '../e2e/engine-process.ts';
import type { EngineLife } from '../e2e/live-engine.ts';
import { liveEngine } from '../e2e/live-engine.ts';
import { appAccessOf } from '../world/forge-access.ts';
import { seedRepository } from '../world/seed-repository.ts';

/** Engines in processes of their own whose agents are real processes too: they outlive an engine that is killed. */
export interface LimitsWorld {
  readonly issues: number[];
  live(options: Pick<EngineProcessOptions, 'dispatches' | 'maxConcurrent'>): EngineLife;
  /** Process ids of all agents that ever ran, in the order of their starts. */
  agents(): Promise<number[]>;
  /** How many of them are alive at this moment. */
  agentsAlive(): Promise<number>;
  issue(number: number): Promise<{ labels: string[]; comments: string[] }>;
  close(): Promise<void>;
}

/** `command` is what each implementor's shell runs after it has signed in. */
export async function createLimitsWorld(items: number, command: string): Promise<LimitsWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-limits-'));
  const repoRoot = path.join(folder, 'checkout');
  const list = path.join(folder, 'agents');
  await writeFile(list, '');
  const forge = await createEmbeddedForge({ dir: path.join(folder, 'forge'), rateLimit: 1_000_000 });
  await seedRepository(repoRoot, forge.gitURL, { 'README.md': 'hello\n' });
  const issues: number[] = [];
  for (let n = 0; n < items; n++) {
    const labels = ['task:implement', 'status:ready'];
    issues.push(Issue.parse(await call(forge, 'POST', 'issues', { title: `item ${n}`, body: 'b', labels })).number);
  }
  const scenario: EngineProcessOptions['scenario'] = {
    runs: [{ role: 'implementor', steps: [{ do: 'run', command: `echo $$ >> '${list}'; ${command}` }] }],
  };
  const agents = async () => (await readFile(list, 'utf8')).split('\n').filter(Boolean).map(Number);
  const agentsAlive = async () => (await Promise.all((await agents()).map(isAlive))).filter(Boolean).length;
  const lives: EngineLife[] = [];

  return {
    issues,
    agents,
    agentsAlive,
    live: (options) => {
      const life = liveEngine({ repoRoot, forge: appAccessOf(forge), scenario, ...options });
      lives.push(life);
      return life;
    },
    issue: async (number) => {
      const { labels } = Issue.parse(await call(forge, 'GET', `issues/${number}`));
      const comments = z
        .array(z.object({ body: z.string() }))
        .parse(await call(forge, 'GET', `issues/${number}/comments`));
      return { labels: labels.map(({ name }) => name), comments: comments.map(({ body }) => body) };
    },
    close: async () => {
      for (const life of lives) life.kill('SIGKILL');
      await Promise.all(lives.map(({ over }) => over));
      for (const pid of await agents()) if (await isAlive(pid)) process.kill(pid, 'SIGKILL');
      await forge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const Issue = z.object({ number: z.number(), labels: z.array(z.object({ name: z.string() })) });

async function call(forge: EmbeddedForge, method: string, what: string, body?: object): Promise<unknown> {
  const { password } = new URL(forge.gitURL);
  const headers = { authorization: `Bearer ${decodeURIComponent(password)}`, 'content-type': 'application/json' };
  const address = `${forge.url}/repos/${forge.owner}/${forge.repo}/${what}`;
  const response = await fetch(address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

/** One that has ended but that nobody has buried yet is not alive. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) [ZX] /.test(status);
}

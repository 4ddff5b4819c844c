import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine, EngineEvent } from '../../src/engine/engine-types.ts';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import type { Logger } from '../../src/engine/ports.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import type { FaultProxy } from '../fault-proxy/create-fault-proxy.ts';
import { createFaultProxy } from '../fault-proxy/create-fault-proxy.ts';
import { appAccessOf, providerOptions } from '../world/forge-access.ts';
import { createManyItemsScript } from '../world/many-items-script.ts';
import { scriptedRuntime } from '../world/scripted-runtime.ts';
import { approvedSpec, seedRepository } from '../world/seed-repository.ts';
import { createFastClock } from './fault-storm-clock.ts';

export interface StormWorldOptions {
  readonly items: number;
  readonly maxConcurrent: number;
  readonly speed: number;
}

/** An engine that talks to an embedded forge through a fault proxy, git included, on a clock that goes fast. */
export interface StormWorld {
  readonly engine: Engine;
  readonly forge: EmbeddedForge;
  readonly proxy: FaultProxy;
  readonly events: EngineEvent[];
  /** What was logged as an error, as one line each. */
  readonly errors: string[];
  /** The forge's repository. */
  readonly repository: string;
  close(): Promise<void>;
}

export async function createStormWorld({ items, maxConcurrent, speed }: StormWorldOptions): Promise<StormWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-storm-'));
  const repoRoot = path.join(folder, 'checkout');
  const forge = await createEmbeddedForge({ dir: path.join(folder, 'forge'), rateLimit: 10_000_000 });
  const proxy = await createFaultProxy(forge.url);
  await seedRepository(repoRoot, forge.gitURL, { 'docs/specs/many.md': approvedSpec('Many files.') });
  const app = appAccessOf(forge);
  const throughProxy = { ...app, url: proxy.url, gitURL: proxy.url + new URL(app.gitURL).pathname };
  const events: EngineEvent[] = [];
  const errors: string[] = [];
  const silent = () => {};
  const logger: Logger = {
    debug: silent,
    info: silent,
    warn: silent,
    error: (fields, message) => errors.push(`${message} ${describe(fields)}`),
  };
  const clock = createFastClock(speed);
  const engine = createEngine({
    config: {
      forge: 'embedded',
      agents: { dispatch: 'auto', maxConcurrent },
      budget: { perRunUSD: 0.01, perDayUSD: 1_000_000 },
    },
    repoRoot,
    clock,
    logger,
    provider: createGitHubProvider({ ...providerOptions(throughProxy), clock }),
    runtime: scriptedRuntime(repoRoot, createManyItemsScript(items), 1_000_000),
  });
  engine.on((event) => events.push(event));
  return {
    engine,
    forge,
    proxy,
    events,
    errors,
    repository: path.join(folder, 'forge', 'repository.git'),
    close: async () => {
      void engine.stop();
      await engine.stop();
      await proxy.close();
      await forge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function describe(fields: object): string {
  return JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.message : value));
}

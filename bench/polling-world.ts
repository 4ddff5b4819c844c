import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { createEngine } from '../src/engine/create-engine.ts';
import type { Engine } from '../src/engine/engine-types.ts';
import { createMemoryJournal } from '../src/journal/create-memory-journal.ts';
import { createForgeWorld, type ForgeWorld } from '../test/contracts/provider-forge-world.ts';
import { people } from '../test/contracts/provider-world.ts';
import { createFakeRuntime } from '../test/engine/fake-runtime.ts';
import { createManualClock, type ManualClock } from '../test/engine/manual-clock.ts';

/** An engine that polls the embedded forge over a network with latency. Its pollers move only when they are told to. */
export interface PollingWorld extends AsyncDisposable {
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly network: SlowNetwork;
  readonly forge: ForgeWorld;
  /** What is left of the hour's points, as the forge last said. */
  points(): number;
  /**
   * Opens pull requests, for issues as long as there are some, and waits until the engine knows them: approved, green
   * and waiting for a person to merge them, or with a check that does not end.
   */
  openPulls(count: number, ci: 'green' | 'endless'): Promise<void>;
}

export async function createPollingWorld(issues: number): Promise<PollingWorld> {
  await using opened = new AsyncDisposableStack();
  const forge = await createForgeWorld({ ci: { command: 'test ! -e endless || sleep 3600' } });
  opened.defer(() => forge.close());
  const human = people(forge);
  const labels = ['task:implement', 'status:approved'];
  for (let number = 1; number <= issues; number++) await human.openIssue({ title: `Issue ${number}`, labels });
  const green = await human.commit({ 'change.txt': 'x\n' }, 'green');

  const network = await createSlowNetwork(forge.proxy.url);
  opened.defer(() => network.close());
  const clock = createManualClock(Date.now());
  const provider = forge.provider({ baseURL: network.url, clock });
  const repoRoot = await mkdtemp(path.join(os.tmpdir(), 'decree-bench-'));
  opened.defer(() => rm(repoRoot, { recursive: true }));
  const engine = createEngine({
    config: { forge: 'embedded' },
    provider,
    repoRoot,
    clock,
    runtime: () => createFakeRuntime().adapter,
    journal: createMemoryJournal(),
  });
  opened.defer(() => engine.stop());
  await engine.start();
  let [greens, pulls] = [0, 0];

  async function openPull(number: number, ci: 'green' | 'endless'): Promise<void> {
    const branch = `branch-${number}`;
    if (ci === 'endless') await human.commit({ endless: `${number}\n` }, branch);
    else await forge.human('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: green });
    const body = number <= issues ? `Closes #${number}` : 'By a person.';
    await forge.human('POST', '/pulls', { title: `Pull ${number}`, head: branch, base: 'main', body });
  }

  const kept = opened.move();
  return {
    engine,
    clock,
    network,
    forge,
    points: () => provider.rateLimit()?.remaining ?? Number.NaN,
    openPulls: async (count, ci) => {
      for (const end = pulls + count; pulls < end;) await openPull(++pulls, ci);
      greens += ci === 'green' ? count : 0;
      await untilKnown(engine, pulls, greens);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function untilKnown(engine: Engine, pulls: number, greens: number): Promise<void> {
  const isKnown = () => {
    const { revisions } = engine.getSnapshot();
    const green = revisions.filter(({ pipeline }) => pipeline?.status === 'success');
    return revisions.length === pulls && green.length === greens;
  };
  for (let tries = 0; !isKnown(); tries++) {
    if (tries > 200) throw new Error('The engine never saw all pull requests with their checks.');
    await setTimeout(20);
    await engine.refresh();
  }
  // Once more: what was found in the last cycle may have led to a look by id.
  await engine.refresh();
}

export interface SlowNetwork {
  readonly url: string;
  latencyMs: number;
  /** What was asked since the last `forget`. */
  readonly requests: readonly SentRequest[];
  forget(): void;
  close(): Promise<void>;
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Passes on GET requests, each after so much time. */
async function createSlowNetwork(targetURL: string): Promise<SlowNetwork> {
  let requests: SentRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = 'GET', url = '/' } = incoming;
      const chunks: Uint8Array[] = [];
      for await (const chunk of incoming) chunks.push(z.instanceof(Uint8Array).parse(chunk));
      const headers = plainHeaders(incoming.headers);
      requests.push({ method, path: url, headers });
      await setTimeout(network.latencyMs);
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      const response = await fetch(targetURL + url, { method, headers, ...body });
      const answer = Buffer.from(await response.arrayBuffer());
      outgoing.writeHead(response.status, [...response.headers].filter(([name]) => !HOP_BY_HOP.has(name)).flat());
      outgoing.end(answer);
    })().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const network: SlowNetwork = {
    url: `http://127.0.0.1:${port}`,
    latencyMs: 0,
    get requests() {
      return requests;
    },
    forget: () => {
      requests = [];
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return network;
}

const HOP_BY_HOP = new Set([
  'connection',
  'host',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'accept-encoding',
]);

function plainHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !HOP_BY_HOP.has(name) ? [[name, value]] : [],
    ),
  );
}

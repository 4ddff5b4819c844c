/**
 * Many work items through the whole loop on the embedded forge, with scripted agents and a human who merges whatever is
 * approved. `node test/simulation/simulate.ts --items 1000` prints what came of it; a small one is part of the tests.
 */
import { parseArgs } from 'node:util';
import { mergeAsHuman } from '../../src/demo/play-human.ts';
import type { ProcessSize } from './measure-process.ts';
import { describeSize, judgeSizes, measureProcess } from './measure-process.ts';
import { createSimulatedWorld } from './simulated-world.ts';
import { createManyItemsScript } from '../world/many-items-script.ts';

export interface SimulationResult {
  readonly items: number;
  readonly closed: number;
  /** Issues and pull requests beyond one of each per item. */
  readonly duplicates: number;
  readonly failedRuns: number;
  readonly seconds: number;
  /** The engine's process after every tenth of the items. */
  readonly sizes: readonly ProcessSize[];
}

export interface SimulationOptions {
  readonly items: number;
  readonly maxConcurrent: number;
  readonly timeoutMs: number;
  /** Seconds. */
  readonly pollInterval?: number;
  readonly onProgress?: (line: string) => void;
}

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { items, maxConcurrent, timeoutMs, pollInterval = 1, onProgress = () => {} } = options;
  const world = await createSimulatedWorld();
  try {
    await world.commit('docs/specs/many.md', '---\nstatus: approved\n---\nMany files.\n');
    const engine = world.createEngine(createManyItemsScript(items), {
      config: {
        forge: 'embedded',
        shutdownTimeout: 5,
        issuePoller: { pollInterval },
        specPoller: { pollInterval: 60 },
        prPoller: { pollInterval },
        agents: { dispatch: 'auto', maxConcurrent },
        budget: { perRunUSD: 0.01, perDayUSD: 1_000_000 },
      },
      listLagMs: 0,
    });
    const titles = new Map<number, string>();
    const pulls = new Map<number, Set<number>>();
    const closed = new Set<number>();
    const sizes: ProcessSize[] = [];
    let failedRuns = 0;
    const done = Promise.withResolvers<void>();
    const begin = performance.now();
    const seconds = () => Math.round((performance.now() - begin) / 1000);
    engine.on((event) => {
      if (event.type === 'agentFailed') failedRuns++;
      if (event.type === 'prLinked') {
        pulls.set(event.issueNumber, (pulls.get(event.issueNumber) ?? new Set()).add(event.prNumber));
      }
      if (event.type !== 'issueStatusChanged') return;
      titles.set(event.issueNumber, event.title);
      const [pull] = pulls.get(event.issueNumber) ?? [];
      if (event.newStatus === 'approved' && pull !== undefined) mergeAsHuman(world.forge, pull).catch(done.reject);
      if (event.newStatus !== null) return;
      closed.add(event.issueNumber);
      if (closed.size % Math.ceil(items / 10) === 0) {
        const size = measureProcess();
        sizes.push(size);
        onProgress(`${closed.size} of ${items} closed after ${seconds()} s: ${describeSize(size)}`);
      }
      if (closed.size === items) done.resolve();
    });
    const timer = setTimeout(done.resolve, timeoutMs);
    await engine.start();
    await done.promise;
    clearTimeout(timer);
    await engine.stop();
    const extraItems = titles.size - new Set(titles.values()).size;
    const extraPulls = [...pulls.values()].reduce((sum, set) => sum + set.size - 1, 0);
    const duplicates = extraItems + extraPulls;
    return { items, closed: closed.size, duplicates, failedRuns, seconds: seconds(), sizes };
  } finally {
    await world.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '1000' },
      concurrent: { type: 'string', default: '8' },
      poll: { type: 'string', default: '5' },
    },
  });
  const items = Number(values.items);
  const maxConcurrent = Number(values.concurrent);
  const pollInterval = Number(values.poll);
  const options = { items, maxConcurrent, pollInterval, timeoutMs: 3_600_000 };
  const { sizes, ...result } = await simulate({ ...options, onProgress: console.log });
  const { isFlat, summary } = judgeSizes(sizes);
  console.log({ ...result, memory: summary });
  process.exitCode = result.closed === items && result.duplicates === 0 && isFlat ? 0 : 1;
}

/**
 * Many work items through the whole loop on the embedded forge, with scripted agents and a human who merges whatever is
 * approved. `node test/simulation/simulate.ts --items 1000` prints what came of it; a small one is part of the tests.
 */
import { parseArgs } from 'node:util';
import type { ProcessSize } from './measure-process.ts';
import { describeSize, judgeSizes, measureProcess } from './measure-process.ts';
import { createSimulatedWorld } from './simulated-world.ts';
import { mergeUntilClosed } from '../world/merge-until-closed.ts';
import { createManyItemsScript } from '../world/many-items-script.ts';
import { approvedSpec } from '../world/seed-repository.ts';

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
    await world.commit('docs/specs/many.md', approvedSpec('Many files.'));
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
    const sizes: ProcessSize[] = [];
    let closed = 0;
    let failedRuns = 0;
    const begin = performance.now();
    const seconds = () => Math.round((performance.now() - begin) / 1000);
    engine.on((event) => {
      if (event.type === 'agentFailed') failedRuns++;
      if (event.type === 'issueStatusChanged') titles.set(event.issueNumber, event.title);
      if (event.type === 'prLinked') {
        pulls.set(event.issueNumber, (pulls.get(event.issueNumber) ?? new Set()).add(event.prNumber));
      }
    });
    const onClosed = (count: number) => {
      closed = count;
      if (count % Math.ceil(items / 10) !== 0) return;
      const size = measureProcess();
      sizes.push(size);
      onProgress(`${count} of ${items} closed after ${seconds()} s: ${describeSize(size)}`);
    };
    await mergeUntilClosed(engine, world.forge, { items, timeoutMs, onClosed });
    const extraItems = titles.size - new Set(titles.values()).size;
    const extraPulls = [...pulls.values()].reduce((sum, set) => sum + set.size - 1, 0);
    const duplicates = extraItems + extraPulls;
    return { items, closed, duplicates, failedRuns, seconds: seconds(), sizes };
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

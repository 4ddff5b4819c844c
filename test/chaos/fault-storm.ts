/**
 * The fault storm: many work items through the whole loop while one request in ten fails, hangs, lies or is lost, git's
 * own included. Once without faults, for comparison, and once with them.
 * `node test/chaos/fault-storm.ts [--items 200] [--rate 0.1] [--seed 1]`; exit code 1 if anything is wrong.
 */
import { parseArgs } from 'node:util';
import { mergeAsHuman } from '../../src/demo/play-human.ts';
import type { Storm } from './fault-storm-faults.ts';
import { createStorm } from './fault-storm-faults.ts';
import { readOutcome } from './fault-storm-outcome.ts';
import type { StormWorld } from './fault-storm-world.ts';
import { createStormWorld } from './fault-storm-world.ts';

export interface StormOptions {
  readonly items: number;
  readonly rate: number;
  readonly seed: number;
  readonly maxConcurrent?: number;
  /** How many times faster than real time the engine's clock goes. */
  readonly speed?: number;
  readonly timeoutMs?: number;
  readonly onProgress?: (line: string) => void;
}

export interface StormReport {
  readonly items: number;
  readonly seconds: number;
  readonly faults: Storm['counts'];
  readonly requests: number;
  /** Requests that change something. */
  readonly writes: number;
  readonly duplicates: number;
  readonly wrongs: readonly string[];
}

/** What one item may cost, in requests, whatever happens: polls included. */
export const MAX_REQUESTS_PER_ITEM = 150;

export async function runFaultStorm(options: StormOptions): Promise<StormReport> {
  const { items, rate, seed, maxConcurrent = 8, speed = 60, timeoutMs = 3_600_000, onProgress = () => {} } = options;
  const world = await createStormWorld({ items, maxConcurrent, speed });
  try {
    const storm = createStorm({ seed, rate, speed });
    world.proxy.disturb((request) => storm.choose(request));
    const begin = performance.now();
    await playAll(world, items, timeoutMs, onProgress);
    const seconds = (performance.now() - begin) / 1000;
    const { requests } = world.proxy;
    const { duplicates, wrongs } = await readOutcome(world, items);
    const tooMany = requests.length > items * MAX_REQUESTS_PER_ITEM;
    return {
      items,
      seconds,
      faults: storm.counts,
      requests: requests.length,
      writes: requests.filter(({ method }) => method !== 'GET').length,
      duplicates,
      wrongs: tooMany ? [...wrongs, `${requests.length} requests: more than ${MAX_REQUESTS_PER_ITEM} an item`] : wrongs,
    };
  } finally {
    await world.close();
  }
}

/** Plays the human who merges whatever is approved, until every item is closed or the time is up; then all ends. */
async function playAll(
  { engine, forge, events }: StormWorld,
  items: number,
  timeoutMs: number,
  onProgress: (line: string) => void,
): Promise<void> {
  const done = Promise.withResolvers<void>();
  const closed = new Set<number>();
  const pulls = new Map<number, number>();
  engine.on((event) => {
    if (event.type === 'prLinked') pulls.set(event.issueNumber, event.prNumber);
    if (event.type !== 'issueStatusChanged') return;
    const pull = pulls.get(event.issueNumber);
    if (event.newStatus === 'approved' && pull !== undefined) mergeAsHuman(forge, pull).catch(done.reject);
    if (event.newStatus !== null || closed.has(event.issueNumber)) return;
    closed.add(event.issueNumber);
    if (closed.size % 20 === 0) onProgress(`${closed.size} of ${items} closed, ${events.length} events`);
    if (closed.size === items) done.resolve();
  });
  const timer = setTimeout(done.resolve, timeoutMs);
  await engine.start();
  await done.promise;
  clearTimeout(timer);
  await engine.stop();
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '200' },
      rate: { type: 'string', default: '0.1' },
      seed: { type: 'string', default: '1' },
    },
  });
  const [items, rate, seed] = [Number(values.items), Number(values.rate), Number(values.seed)];
  const calm = await runFaultStorm({ items, rate: 0, seed, onProgress: (line) => console.log(`calm: ${line}`) });
  const storm = await runFaultStorm({ items, rate, seed, onProgress: (line) => console.log(`storm: ${line}`) });
  for (const wrong of [...calm.wrongs.map((text) => `calm: ${text}`), ...storm.wrongs]) console.log(`WRONG: ${wrong}`);
  console.log({ calm, storm });
  const perItem = ({ requests }: StormReport) => (requests / items).toFixed(1);
  console.log(
    `${items} items, requests an item ${perItem(storm)} in the storm and ${perItem(calm)} without, ` +
      `duplicates: ${storm.duplicates}, wrong outcomes: ${storm.wrongs.length}`,
  );
  process.exitCode = calm.wrongs.length + storm.wrongs.length === 0 ? 0 : 1;
}

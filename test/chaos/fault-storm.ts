/**
 * The fault storm: many work items through the whole loop while one request in ten fails, hangs, lies or is lost, git's
 * own included. A third of the way the forge is away for an hour, and at two thirds the app's installation is suspended
 * for an hour. Once without any of it, for comparison, and once with it, on a clock that goes sixty times as fast.
 * `node test/chaos/fault-storm.ts [--items 200] [--rate 0.1] [--seed 1] [--trouble 60]`; exit code 1 if anything is wrong.
 */
import { parseArgs } from 'node:util';
import { mergeUntilClosed } from '../world/merge-until-closed.ts';
import type { Storm } from './fault-storm-faults.ts';
import { createStorm } from './fault-storm-faults.ts';
import { readOutcome } from './fault-storm-outcome.ts';
import type { TroubleReport } from './fault-storm-troubles.ts';
import { createTroubles } from './fault-storm-troubles.ts';
import { createStormWorld } from './fault-storm-world.ts';

export interface StormOptions {
  readonly items: number;
  readonly rate: number;
  readonly seed: number;
  /** How long the forge is away, and then the installation suspended, in ms of the engine's clock. Default: never. */
  readonly troubleMs?: number;
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
  readonly troubles: readonly TroubleReport[];
  readonly requests: number;
  /** Requests that change something. */
  readonly writes: number;
  readonly duplicates: number;
  readonly wrongs: readonly string[];
}

/** What one item may cost, in requests, whatever happens to them; and what looking at the forge costs meanwhile. */
const MAX_REQUESTS_PER_ITEM = 100;
const MAX_POLLS_PER_MINUTE = 20;
/** What is sent while nothing gets through. The first minute is the busiest. */
const MAX_REQUESTS_PER_MINUTE_OF_TROUBLE = 30;

export async function runFaultStorm(options: StormOptions): Promise<StormReport> {
  const { items, rate, seed, troubleMs = 0, maxConcurrent = 8 } = options;
  const { speed = 60, timeoutMs = 3_600_000, onProgress = () => {} } = options;
  const world = await createStormWorld({ items, maxConcurrent, speed });
  try {
    const storm = createStorm({ seed, rate, speed });
    const troubles = createTroubles(troubleMs, speed);
    world.proxy.disturb((request) => troubles.choose(request) ?? storm.choose(request));
    const begin = performance.now();
    const onClosed = (closed: number) => {
      troubles.progress(closed / items);
      if (closed % 20 === 0) onProgress(`${closed} of ${items} closed`);
    };
    await mergeUntilClosed(world.engine, world.forge, { items, timeoutMs, onClosed });
    const seconds = (performance.now() - begin) / 1000;
    const { requests } = world.proxy;
    const { duplicates, wrongs } = await readOutcome(world, items);
    const inTrouble = troubles.reports.reduce((sum, report) => sum + report.requests, 0);
    const bounds = [
      ...atMost(
        'requests',
        requests.length - inTrouble,
        items * MAX_REQUESTS_PER_ITEM + ((seconds * speed) / 60) * MAX_POLLS_PER_MINUTE,
      ),
      ...troubles.reports.flatMap(({ what, minutes, requests: sent }) =>
        atMost(`requests a minute, ${what}`, sent / minutes, MAX_REQUESTS_PER_MINUTE_OF_TROUBLE),
      ),
      ...atMost('troubles missed', troubleMs === 0 ? 0 : 2 - troubles.reports.length, 0),
    ];
    return {
      items,
      seconds,
      faults: storm.counts,
      troubles: troubles.reports,
      requests: requests.length,
      writes: requests.filter(({ method }) => method !== 'GET').length,
      duplicates,
      wrongs: [...wrongs, ...bounds],
    };
  } finally {
    await world.close();
  }
}

function atMost(what: string, actual: number, limit: number): string[] {
  return actual <= limit ? [] : [`${what}: ${actual.toFixed(1)}, more than ${limit}`];
}

function describe(when: string, { items, seconds, requests, writes, faults, troubles }: StormReport): void {
  const share = (count: number) => `${count} (${(count / items).toFixed(1)} an item)`;
  console.log(`${when}: requests ${share(requests)}, of them writes ${share(writes)}, ${seconds.toFixed(0)} s`);
  for (const [kind, count] of Object.entries(faults)) if (count > 0) console.log(`  fault ${kind}: ${count}`);
  for (const { what, minutes, requests: sent } of troubles) {
    console.log(`  ${what} of ${minutes} minutes: ${sent} requests (${(sent / minutes).toFixed(1)} a minute)`);
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '200' },
      rate: { type: 'string', default: '0.1' },
      seed: { type: 'string', default: '1' },
      trouble: { type: 'string', default: '60' },
    },
  });
  const [items, rate, seed] = [Number(values.items), Number(values.rate), Number(values.seed)];
  const calm = await runFaultStorm({ items, rate: 0, seed, onProgress: (line) => console.log(`calm: ${line}`) });
  const troubleMs = Number(values.trouble) * 60_000;
  const storm = await runFaultStorm({
    items,
    rate,
    seed,
    troubleMs,
    onProgress: (line) => console.log(`storm: ${line}`),
  });
  for (const wrong of calm.wrongs) console.log(`WRONG without faults: ${wrong}`);
  for (const wrong of storm.wrongs) console.log(`WRONG: ${wrong}`);
  describe('without faults', calm);
  describe('in the storm', storm);
  console.log(`${items} items, duplicates: ${storm.duplicates}, wrong outcomes: ${storm.wrongs.length}`);
  process.exitCode = calm.wrongs.length + storm.wrongs.length === 0 ? 0 : 1;
}

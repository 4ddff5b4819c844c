/**
 * Weeks of one engine in minutes: every day (of a clock that goes fast) the human approves a spec, merges what is approved
 * and closes what he is asked about; agents fail, hang, are cancelled and sent back; once a week the engine is started anew.
 * `node test/simulation/soak.ts [--minutes 20] [--speed 1500]`; exit code 1 if anything is wrong, or grows.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '../../src/engine/engine-types.ts';
import type { Clock } from '../../src/engine/ports.ts';
import type { Script } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import { createFastClock } from '../chaos/fault-storm-clock.ts';
import type { ProcessSize, SizeVerdict } from './measure-process.ts';
import { describeSize, judgeSizes, measureProcess } from './measure-process.ts';
import type { SimulatedWorld } from './simulated-world.ts';
import { createSimulatedWorld } from './simulated-world.ts';
import { createSoakHuman } from './soak-human.ts';
import { ITEMS_A_DAY, createSoakScript, specOf } from './soak-script.ts';

export interface SoakOptions {
  readonly days: number;
  /** How many times faster than real time the engine's clock goes. */
  readonly speed: number;
  readonly daysALife: number;
  readonly onDay?: (line: string) => void;
}

export interface SoakReport {
  readonly days: number;
  readonly lives: number;
  readonly items: number;
  readonly runs: number;
  readonly failedRuns: number;
  readonly wrongs: readonly string[];
  readonly sizes: readonly ProcessSize[];
  readonly verdict: SizeVerdict;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_TO_FINISH = 7;

export async function soak({ days, speed, daysALife, onDay = () => {} }: SoakOptions): Promise<SoakReport> {
  const world = await createSimulatedWorld();
  const clock = createFastClock(speed);
  const day = () => new Promise<void>((resolve) => clock.after(DAY_MS, resolve));
  const human = createSoakHuman(world.forge);
  const script = createSoakScript();
  const sizes: ProcessSize[] = [];
  let engine: Engine | null = null;
  let lives = 0;
  try {
    for (let today = 1; today <= days; today++) {
      await world.commit(specOf(today), `---\nstatus: approved\n---\nDay ${today}.\n`);
      if (engine === null || (today - 1) % daysALife === 0) {
        await engine?.stop();
        lives++;
        engine = createEngine(world, clock, script);
        human.watch(engine);
        await engine.start();
      }
      await day();
      const size = measureProcess();
      sizes.push(size);
      onDay(`day ${today}: ${human.closed.size} items closed; ${describeSize(size)}; ${await describeDisk(world)}`);
    }
    // What the last day began is finished on the next ones.
    for (let more = 0; more < DAYS_TO_FINISH && human.closed.size < days * ITEMS_A_DAY; more++) await day();
    await engine?.stop();
    const { closed, closedByHand, titles, pulls, runs, failedRuns } = human;
    const wrongs = [
      ...(closed.size === days * ITEMS_A_DAY ? [] : [`${closed.size} of ${days * ITEMS_A_DAY} items were closed`]),
      ...(new Set(titles.values()).size === titles.size ? [] : ['an item was planned twice']),
      ...(closedByHand.size === days ? [] : [`the human closed ${[...closedByHand].join()}, not one a day`]),
      ...[...pulls].flatMap(([item, of]) => (of.size === 1 ? [] : [`item ${item} has ${of.size} pull requests`])),
      ...human.troubles,
    ];
    const verdict = judgeSizes(sizes);
    return { days, lives, items: titles.size, runs: runs(), failedRuns: failedRuns(), wrongs, sizes, verdict };
  } finally {
    await engine?.stop();
    await world.close();
  }
}

function createEngine(world: SimulatedWorld, clock: Clock, script: Script): Engine {
  return world.createEngine(script, {
    clock,
    config: {
      forge: 'embedded',
      issuePoller: { pollInterval: 30 * 60 },
      specPoller: { pollInterval: 30 * 60 },
      prPoller: { pollInterval: 30 * 60 },
      agents: { dispatch: 'auto', maxConcurrent: 4 },
      budget: { perRunUSD: 0.5, perDayUSD: 20 },
    },
  });
}

/** What the engine's files take, and how many files that is. */
async function describeDisk({ repoRoot }: SimulatedWorld): Promise<string> {
  const journal = await stat(path.join(repoRoot, '.decree', 'journal.db'));
  const objects = await readdir(path.join(repoRoot, '.decree', 'repo.git', 'objects'), { recursive: true });
  return `journal ${(journal.size / 2 ** 20).toFixed(1)} MiB, clone ${objects.length} files`;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '20' },
      speed: { type: 'string', default: '1500' },
    },
  });
  const speed = Number(values.speed);
  const days = Math.max(1, Math.floor((Number(values.minutes) * 60_000 * speed) / DAY_MS));
  const { sizes: _, verdict, wrongs, ...counts } = await soak({ days, speed, daysALife: 7, onDay: console.log });
  for (const wrong of wrongs) console.log(`WRONG: ${wrong}`);
  console.log({ ...counts, memory: verdict.summary, isFlat: verdict.isFlat });
  process.exitCode = wrongs.length === 0 && verdict.isFlat ? 0 : 1;
}

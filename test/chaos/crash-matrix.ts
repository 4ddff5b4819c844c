/**
 * The crash matrix: SIGKILLs the engine around every transaction of its journal, every request to the forge and every git
 * command; starts it again, lets it finish, and looks at what is there. The points are found by a run without a crash.
 * `node test/chaos/crash-matrix.ts [--sample 40] [--seed 1] [--only 'git: worktree'] [--workers 2]`.
 */
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { EngineLife } from '../e2e/live-engine.ts';
import type { CrashWorld } from './crash-world.ts';
import { createCrashWorld } from './crash-world.ts';
import type { CrashPoint } from './crash-points.ts';
import { crashPoints, describePoint } from './crash-points.ts';

export interface CrashReport {
  readonly points: number;
  /** Points that the crashed run reached; the others did not come up again: polls differ from run to run. */
  readonly reached: number;
  readonly wrong: readonly { readonly point: CrashPoint; readonly wrongs: readonly string[] }[];
}

const TIMEOUT_MS = 90_000;
const QUIET_MS = 1_500;

/** Every point of one undisturbed run. */
export async function findCrashPoints(privateKey: string): Promise<CrashPoint[]> {
  const world = await createCrashWorld(privateKey);
  try {
    const life = world.live();
    await finish(life, world);
    const wrongs = await world.wrongs();
    if (wrongs.length > 0) throw new Error(`the undisturbed run went wrong: ${wrongs.join('; ')}`);
    return crashPoints(world.seams(life));
  } finally {
    await world.close();
  }
}

/** Crashes at one point and lets the next life finish. Null if the point was never reached. */
export async function crashAt(point: CrashPoint, privateKey: string): Promise<string[] | null> {
  const world = await createCrashWorld(privateKey);
  try {
    const isReached = (await live(world, point)) === 'SIGKILL';
    const signal = await live(world);
    if (signal !== null) return [`the second life was ended by ${signal}`];
    const wrongs = await world.wrongs();
    return isReached || wrongs.length > 0 ? wrongs : null;
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    await world.close();
  }
}

/** One life, until its crash or until all is done. Resolves with the signal that ended it, if one did. */
async function live(world: CrashWorld, point?: CrashPoint): Promise<NodeJS.Signals | null> {
  const life = world.live(point);
  await finish(life, world);
  return life.over;
}

/** Waits for all work to be done (an earlier life may have done it), then for silence, and stops it; or for its crash. */
async function finish(life: EngineLife, world: CrashWorld): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  const isDone = async () => life.journalCalls.includes('append startupFinished') && (await world.isDone());
  while (!life.isOver() && !(await isDone())) {
    if (Date.now() > end) {
      life.kill('SIGKILL');
      const last = life.events.slice(-8).map((event) => JSON.stringify(event));
      throw new Error(`it did not come to an end; the last events: ${last.join(' ')}`);
    }
    await sleep(100);
  }
  for (let calls = -1; !life.isOver() && calls !== life.journalCalls.length; await sleep(QUIET_MS)) {
    calls = life.journalCalls.length;
  }
  life.kill('SIGTERM');
  await life.over;
}

export interface MatrixOptions {
  /** Points to try, spread over all of them by a fixed rule; all if it is left out. */
  readonly sample?: number;
  readonly seed?: number;
  /** Only points whose description has this in it: to repeat one that went wrong. */
  readonly only?: string;
  /** Worlds at a time. */
  readonly workers?: number;
  readonly onPoint?: (point: CrashPoint, wrongs: readonly string[] | null) => void;
}

export async function runCrashMatrix({
  sample,
  seed = 0,
  only = '',
  workers = 2,
  onPoint,
}: MatrixOptions): Promise<CrashReport> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const all = (await findCrashPoints(privateKey)).filter((point) => describePoint(point).includes(only));
  const stride = sample === undefined ? 1 : all.length / sample;
  const points =
    sample === undefined
      ? all
      : Array.from({ length: sample }, (_, n) => all[Math.floor(n * stride + seed) % all.length]);
  const queue = points.filter((point) => point !== undefined);
  const wrong: CrashReport['wrong'][number][] = [];
  let reached = 0;
  const total = queue.length;
  const work = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      const wrongs = await crashAt(point, privateKey);
      if (wrongs !== null) reached++;
      if (wrongs !== null && wrongs.length > 0) wrong.push({ point, wrongs });
      onPoint?.(point, wrongs);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { points: total, reached, wrong };
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '0' },
      only: { type: 'string', default: '' },
      workers: { type: 'string', default: '2' },
    },
  });
  const report = await runCrashMatrix({
    ...(values.sample === undefined ? {} : { sample: Number(values.sample) }),
    seed: Number(values.seed),
    only: values.only,
    workers: Number(values.workers),
    onPoint: (point, wrongs) => {
      if (wrongs === null) console.log(`not reached: ${describePoint(point)}`);
      else
        console.log(
          wrongs.length === 0
            ? `ok: ${describePoint(point)}`
            : `WRONG: ${describePoint(point)}\n  ${wrongs.join('\n  ')}`,
        );
    },
  });
  console.log(`${report.points} points tried, ${report.reached} reached, wrong outcomes: ${report.wrong.length}`);
  process.exitCode = report.wrong.length === 0 ? 0 : 1;
}

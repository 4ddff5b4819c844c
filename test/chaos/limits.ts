/**
 * Limits on real processes: agents that outlive their killed engine. `node test/chaos/limits.ts`; exit code 1 if
 * anything is wrong.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LimitsWorld } from './limits-world.ts';
import { createLimitsWorld } from './limits-world.ts';

/** A hundred racing dispatches of `items` issues with room for some, a SIGKILL, a second life. Returns what is wrong. */
export async function raceDispatches(items: number, room: number): Promise<string[]> {
  const world = await createLimitsWorld(items, 'exec sleep 600');
  try {
    const dispatches = Array.from({ length: 100 }, (_, n) => world.issues[n % items] ?? 0);
    const wrongs: string[] = [];
    let most = 0;
    const alive = async () => {
      const now = await world.agentsAlive();
      most = Math.max(most, now);
      return now;
    };
    const first = world.live({ maxConcurrent: room, dispatches });
    await until('the agents of the first life', async () => (await alive()) === room);
    first.kill('SIGKILL');
    await first.over;
    if ((await alive()) !== room) wrongs.push('the agents did not outlive their engine: nothing was tried');
    world.live({ maxConcurrent: room, dispatches });
    await until(
      'the agents of the second life',
      async () => (await world.agents()).length === 2 * room && (await alive()) === room,
    );
    await aWhile(alive);
    const started = (await world.agents()).length;
    if (started !== 2 * room) wrongs.push(`${started} agents were started instead of ${2 * room}`);
    if (most !== room) wrongs.push(`${most} agents ran at once instead of ${room}`);
    return wrongs;
  } finally {
    await world.close();
  }
}

/** An agent that fails whatever happens, and whose engine is killed during its first two attempts. */
async function failForEver(): Promise<string[]> {
  const world = await createLimitsWorld(1, 'sleep 1; exit 3');
  try {
    const [issue = 0] = world.issues;
    await killedDuring(world, 1, world.issues);
    await killedDuring(world, 2, []);
    world.live({});
    await until('a human is asked', async () => (await world.issue(issue)).labels.includes('status:blocked'));
    await aWhile(world.agents);
    const attempts = (await world.agents()).length;
    const { comments } = await world.issue(issue);
    return [
      ...(attempts === 3 ? [] : [`it was tried ${attempts} times instead of 3`]),
      ...(comments.length === 1 && comments[0]?.includes('failed 3 times') === true
        ? []
        : [`the human was told: ${JSON.stringify(comments)}`]),
    ];
  } finally {
    await world.close();
  }
}

async function killedDuring(world: LimitsWorld, attempt: number, dispatches: number[]): Promise<void> {
  const life = world.live({ dispatches });
  await until(`attempt ${attempt}`, async () => (await world.agents()).length === attempt);
  life.kill('SIGKILL');
  await life.over;
}

/** Long enough for a mistake to show: pauses between attempts are a second at most here. */
async function aWhile(look: () => Promise<unknown>): Promise<void> {
  for (let looks = 0; looks < 15; looks++) {
    await sleep(100);
    await look();
  }
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited a minute in vain: ${what}`);
    await sleep(50);
  }
}

if (process.argv[1] === import.meta.filename) {
  const race = await raceDispatches(100, 7);
  console.log(`100 racing dispatches, room for 7, a SIGKILL: ${race.join('; ') || 'exactly 7, then exactly 7'}`);
  const failing = await failForEver();
  console.log(
    `an agent that always fails, two SIGKILLs: ${failing.join('; ') || 'tried 3 times, then a human is asked'}`,
  );
  process.exitCode = race.length + failing.length === 0 ? 0 : 1;
}

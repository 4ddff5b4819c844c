import { people } from '../test/contracts/provider-world.ts';
import type { Benchmark, Finding, Scale } from './harness/benchmark.ts';
import { finding, inTurns, timed } from './harness/measure.ts';
import type { PollingWorld } from './polling-world.ts';
import { createPollingWorld } from './polling-world.ts';

const LATENCY_MS = 200;
/** The interval of the pollers, and how many cycles fit between two renewals of the token. */
const INTERVAL_MS = 30_000;
const CYCLES = 110;

/** All three pollers of a running engine on an idle repository, behind a network with latency. */
export const polling: Benchmark = {
  name: 'polling',
  asks: `an idle cycle of all pollers at ${LATENCY_MS} ms latency, and what it grows with`,
  run: async ({ scale }) => {
    const [issues, pulls] = scale === 'full' ? [200, 100] : [6, 3];
    await using world = await createPollingWorld(issues);
    await world.openPulls(pulls, 'green');
    const size = `${pulls} settled pull requests and ${issues} issues`;
    return [
      ...(await idleCycle(world, size, scale)),
      ...(await idleHour(world, size, scale)),
      await changes(world, scale === 'full' ? 10 : 2),
      ...(await growth(world, pulls, scale)),
    ];
  },
};

async function idleCycle({ engine, network }: PollingWorld, size: string, scale: Scale): Promise<Finding[]> {
  await engine.refresh();
  network.forget();
  await engine.refresh();
  const requests = [...network.requests];
  network.latencyMs = scale === 'full' ? LATENCY_MS : 1;
  const values = await inTurns(scale === 'full' ? 7 : 1, {
    ours: () => timed(() => engine.refresh()),
    plain: () => timed(() => fetchAll(network.url, requests)),
  });
  network.latencyMs = 0;
  return [
    finding({ what: `requests a cycle, ${size}`, unit: 'requests', ours: [requests.length] }),
    finding({
      what: `a cycle, ${size}`,
      unit: 'ms',
      ours: values.ours,
      baseline: { name: 'the same requests in a plain fetch loop', values: values.plain },
      wanted: { of: 'value', is: 'at most', limit: 2_000 },
    }),
  ];
}

async function fetchAll(url: string, requests: PollingWorld['network']['requests']): Promise<void> {
  for (const { method, path, headers } of requests) {
    const response = await fetch(url + path, { method, headers });
    await response.arrayBuffer();
  }
}

/** From one renewal of the token to the next: what is believed for a while is read again several times. */
async function idleHour({ engine, clock, network, points }: PollingWorld, size: string, scale: Scale) {
  const cycles = scale === 'full' ? CYCLES : 2;
  const before = points();
  network.forget();
  for (let cycle = 0; cycle < cycles; cycle++) {
    clock.advance(INTERVAL_MS);
    await engine.refresh();
  }
  const minutes = (cycles * INTERVAL_MS) / 60_000;
  const wanted = { of: 'value', is: 'at most', limit: 0 } as const;
  return [
    finding({
      what: `requests a cycle over ${minutes} idle minutes`,
      unit: 'requests',
      ours: [network.requests.length / cycles],
    }),
    finding({ what: `points used in them, ${size}`, unit: 'points', ours: [before - points()], wanted }),
  ];
}

async function changes({ engine, forge, network }: PollingWorld, count: number): Promise<Finding> {
  const human = people(forge);
  const idle = await requestsOfCycle({ engine, network });
  for (let number = 1; number <= count; number++) await human.changeIssue(String(number), { title: `New ${number}` });
  const ours = await requestsOfCycle({ engine, network });
  return finding({
    what: `the cycle after ${count} changed issues`,
    unit: 'requests',
    ours: [ours],
    baseline: { name: 'idle', values: [idle] },
    wanted: { of: 'difference', is: 'at most', limit: count },
  });
}

/** Listings have pages of a hundred: 200 more are two more pages of them, and two of issues. */
async function growth(world: PollingWorld, settled: number, scale: Scale): Promise<Finding[]> {
  const [more, running] = scale === 'full' ? [200, 10] : [1, 1];
  const idle = await requestsOfCycle(world);
  await world.openPulls(more, 'green');
  const grown = await requestsOfCycle(world);
  await world.openPulls(running, 'endless');
  const busy = await requestsOfCycle(world);
  return [
    finding({
      what: `an idle cycle, ${settled + more} settled pull requests`,
      unit: 'requests',
      ours: [grown],
      baseline: { name: `${settled} of them`, values: [idle] },
      wanted: { of: 'difference', is: 'at most', limit: 4 },
    }),
    finding({
      what: `an idle cycle, ${running} more with running CI`,
      unit: 'requests',
      ours: [busy],
      baseline: { name: 'without', values: [grown] },
      wanted: { of: 'difference', is: 'at most', limit: 3 * running },
    }),
  ];
}

async function requestsOfCycle({ engine, network }: Pick<PollingWorld, 'engine' | 'network'>): Promise<number> {
  network.forget();
  await engine.refresh();
  return network.requests.length;
}

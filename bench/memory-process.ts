/** Holds nothing but an engine with many items and live streams; says on its standard output how large it became. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createEngine } from '../src/engine/create-engine.ts';
import { createFakeForge } from '../test/engine/fake-forge.ts';
import { createFakeRuntime } from '../test/engine/fake-runtime.ts';
import { revision, workItem } from './loop-day.ts';

const [items = 0, streams = 0, charactersEach = 0] = process.argv.slice(2).map(Number);
/** About as long as what agents write; each is a string of its own. */
const line = (number: number) =>
  Buffer.from(`[Edit] src/importer/read-${number}.ts: ${'because '.repeat(7)}\n`).toString();

const repoRoot = await mkdtemp(path.join(os.tmpdir(), 'decree-bench-'));
const forge = createFakeForge();
const runtime = createFakeRuntime();
for (let number = 1; number <= items; number++) {
  const isReviewed = number > streams && number % 5 === 0;
  const status = number <= streams ? 'ready' : isReviewed ? 'approved' : 'pending';
  forge.addItem(workItem(number, { status, blockedBy: number <= streams ? [] : [String(number - 1)] }));
  if (isReviewed) forge.revisions.set(String(1_000_000 + number), revision(number, number));
}
const engine = createEngine({
  config: {
    forge: 'embedded',
    agents: { dispatch: 'auto', maxConcurrent: streams },
    budget: { perRunUSD: 0.5, perDayUSD: 1e6 },
  },
  provider: forge.provider,
  runtime: () => runtime.adapter,
  repoRoot,
});
const { issueCount } = await engine.start();
if (issueCount !== items) throw new Error(`The engine tracks ${issueCount} items instead of ${items}.`);
for (let tries = 0; runtime.live().length < streams; tries++) {
  if (tries > 2_000) throw new Error(`Only ${runtime.live().length} of ${streams} agents run.`);
  await setTimeout(5);
}

// Two readers of each stream, as of a screen and of `decree logs`; they are slower than the agents.
for (const { params } of runtime.live()) for (let reader = 0; reader < 2; reader++) void readSlowly(params.sessionID);
for (let written = 0, number = 0; written < charactersEach; number++) {
  const text = line(number);
  for (const run of runtime.live()) run.print(Buffer.from(text).toString());
  written += text.length;
  // Seconds of agents at work are played in a few: readers and collector must get their turns as they would.
  if (number % 10 === 0) await setTimeout(1);
}

const { rss, heapUsed } = process.memoryUsage();
console.log(JSON.stringify({ residentBytes: rss, heapBytes: heapUsed, peakBytes: peakBytes() }));
await rm(repoRoot, { recursive: true });
process.exit(0);

/** Linux counts the size of the parent at the fork to `maxRSS`; its own high-water mark does not. */
function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kibibytes) * 1024;
}

async function readSlowly(sessionID: string): Promise<void> {
  for await (const chunk of engine.getAgentStream(sessionID) ?? []) await setTimeout(chunk.length > 0 ? 20 : 0);
}

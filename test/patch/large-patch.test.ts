import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { LargeOutcome, type LargeJob } from './publish-large.ts';
import { createPublishingWorld } from './publishing-world.ts';

const MIB = 1024 * 1024;

test('a patch of 50 MiB is extracted and published with less than 1 GiB of memory', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'decree-large-'));
  const world = await createPublishingWorld();
  try {
    const { close: _, ...forge } = world.forge.forge;
    const outcome = LargeOutcome.parse(JSON.parse(await run({ dir, workItemID: world.workItemID, forge })));
    expect(outcome.patchBytes).toBeGreaterThan(50 * MIB);
    expect(outcome.maxMemoryBytes).toBeLessThan(1024 * MIB);
    expect((await world.readCommit(outcome.headSHA)).tree).toBe(outcome.treeSHA);
  } finally {
    await world.close();
    await rm(dir, { recursive: true, force: true });
  }
}, 240_000);

async function run(job: LargeJob): Promise<string> {
  const running = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'publish-large.ts')]);
  running.child.stdin?.end(JSON.stringify(job));
  return (await running).stdout;
}

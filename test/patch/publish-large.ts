/**
 * A process of its own, so that its memory can be measured: changes 50 MiB of files in a worktree and publishes them.
 * Reads where to do that from its standard input, and prints what it took.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import { createDecreeClone } from '../../src/engine/runtime-adapter/workspace/decree-clone.ts';
import { extractPatch } from '../../src/engine/runtime-adapter/workspace/extract-patch.ts';
import { findStart } from '../../src/engine/runtime-adapter/workspace/find-start.ts';
import { addWorktree } from '../../src/engine/runtime-adapter/workspace/worktree.ts';
import { ForgeAccessSchema } from '../world/forge-access.ts';

export const LargeJob = z.object({
  dir: z.string(),
  workItemID: z.string(),
  forge: ForgeAccessSchema,
});
export type LargeJob = z.infer<typeof LargeJob>;

export const LargeOutcome = z.object({
  patchBytes: z.number(),
  treeSHA: z.string(),
  headSHA: z.string(),
  maxMemoryBytes: z.number(),
});

const MIB = 1024 * 1024;

if (import.meta.main) await publishLarge(LargeJob.parse(await json(process.stdin)));

async function publishLarge({ dir, workItemID, forge }: LargeJob): Promise<void> {
  const signal = new AbortController().signal;
  const clone = createDecreeClone(dir, async () => ({ url: forge.gitURL, authorization: '' }));
  await clone.prepare();
  const start = await findStart(clone, { branch: 'main', isDefault: true }, signal);
  const folder = join(dir, 'worktrees/large');
  const worktree = await addWorktree(
    clone,
    join(dir, 'worktrees'),
    { sessionID: 's', folder, branch: null, start },
    signal,
  );
  // Outside of latin1, so that JavaScript's strings take two bytes for each character.
  const line = `日本 ${'x'.repeat(90)}\n`;
  const text = line.repeat(Math.ceil((10 * MIB) / Buffer.byteLength(line)));
  for (const name of ['a', 'b', 'c', 'd']) await writeFile(join(folder, `${name}.txt`), `${name}\n${text}`);
  await writeFile(join(folder, 'binary'), randomBytes(10 * MIB));

  const artifact = await extractPatch(clone, { ...worktree, setUpTree: start.tree }, signal);
  if (artifact === null) throw new Error('Nothing was extracted.');
  const { patch, ...exact } = artifact;
  const provider = createGitHubProvider({ ...forge, baseURL: forge.url, specsDir: 'docs', defaultBranch: 'main' });
  const { headSHA } = await provider.revisionWriter.createFromPatch(workItemID, patch, 'large', exact);
  const outcome: z.infer<typeof LargeOutcome> = {
    patchBytes: Buffer.byteLength(patch),
    treeSHA: exact.treeSHA,
    headSHA,
    maxMemoryBytes: process.resourceUsage().maxRSS * 1024,
  };
  console.log(JSON.stringify(outcome));
}

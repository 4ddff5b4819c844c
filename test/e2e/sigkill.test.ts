import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { until } from '../engine/until.ts';
import type { EngineProcessOptions } from './engine-process.ts';
import { liveEngine } from './live-engine.ts';
import { appAccessOf, providerOptions } from '../world/forge-access.ts';
import { planSteps, reviewSteps, writeSteps } from '../world/scripted-steps.ts';
import { approvedSpec, seedRepository } from '../world/seed-repository.ts';

const FILE = 'hello.txt';
const SCENARIO: EngineProcessOptions['scenario'] = {
  runs: [
    { role: 'planner', steps: planSteps([{ tempID: 'hello', title: 'Say hello' }]) },
    { role: 'implementor', steps: writeSteps(FILE, 'hello\n') },
    { role: 'reviewer', steps: reviewSteps('approve') },
  ],
};

let folder = '';
let forge: EmbeddedForge | null = null;
afterEach(async () => {
  await forge?.close();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  { name: 'between the result of a run and its event', call: 'saveResult implementor', when: 'after' },
  { name: 'before the pull request is begun', call: 'beginStep create revision', when: 'before' },
  {
    name: 'after the pull request was made, before its answer is recorded',
    call: 'endStep create revision',
    when: 'before',
  },
  { name: 'after the review was posted, before its answer is recorded', call: 'endStep post review', when: 'before' },
] as const)(
  'SIGKILL $name: after a restart there is one pull request, and the run is not repeated',
  async ({ call, when }) => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'decree-sigkill-'));
    forge = await createEmbeddedForge({ dir: path.join(folder, 'forge') });
    const repoRoot = path.join(folder, 'checkout');
    await seedRepository(repoRoot, forge.gitURL, { 'docs/specs/hello.md': approvedSpec('Say hello.') });
    const access = appAccessOf(forge);
    const options = { repoRoot, forge: access, scenario: SCENARIO };

    const first = liveEngine({ ...options, killAt: { call, when } });
    expect(await first.over).toBe('SIGKILL');

    const second = liveEngine(options);
    await until(
      'the approval',
      () => second.events.some((e) => e.type === 'issueStatusChanged' && e.newStatus === 'approved'),
      30_000,
    );
    second.kill('SIGTERM');
    await second.over;

    const starts = [...first.events, ...second.events].flatMap((e) => (e.type === 'agentStarted' ? [e.agentType] : []));
    expect(starts).toEqual(['planner', 'implementor', 'reviewer']);
    const provider = createGitHubProvider(providerOptions(access));
    const items = await provider.workItemReader.listWorkItems();
    const revisions = await provider.revisionReader.listRevisions();
    expect(items.map(({ title, status }) => [title, status])).toEqual([['Say hello', 'approved']]);
    expect(revisions).toHaveLength(1);
    const files = await provider.revisionReader.getRevisionFiles(revisions[0]?.id ?? '');
    expect(files.map((file) => [file.path, file.status])).toEqual([[FILE, 'added']]);
    const { reviews } = await provider.revisionReader.getReviewHistory(revisions[0]?.id ?? '');
    expect(reviews).toHaveLength(1);
  },
);

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { runGit } from '../../src/git/run-git.ts';
import { until } from '../engine/until.ts';
import type { EngineProcessOptions } from './engine-process.ts';
import { liveEngine } from './live-engine.ts';

const FILE = 'hello.txt';
const SCENARIO: EngineProcessOptions['scenario'] = {
  runs: [
    {
      role: 'planner',
      steps: [
        {
          do: 'return',
          output: {
            role: 'planner',
            create: [{ tempID: 'hello', title: 'Say hello', body: 'b', labels: [], blockedBy: [] }],
            close: [],
            update: [],
          },
        },
      ],
    },
    {
      role: 'implementor',
      steps: [
        { do: 'write', path: FILE, content: 'hello\n' },
        { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: 'done' } },
      ],
    },
    {
      role: 'reviewer',
      steps: [
        { do: 'return', output: { role: 'reviewer', review: { verdict: 'approve', summary: 'good', comments: [] } } },
      ],
    },
  ],
};

let folder = '';
let forge: EmbeddedForge | null = null;
afterEach(async () => {
  await forge?.close();
  await rm(folder, { recursive: true, force: true });
});

async function seed(gitURL: string, repoRoot: string): Promise<void> {
  const spec = path.join(repoRoot, 'docs/specs/hello.md');
  await mkdir(path.dirname(spec), { recursive: true });
  await writeFile(spec, '---\nstatus: approved\n---\nSay hello.\n');
  const git = (...args: string[]) => runGit(args, { cwd: repoRoot });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '--all');
  await git('-c', 'user.name=h', '-c', 'user.email=h@example.com', 'commit', '--quiet', '-m', 'Approve');
  await git('push', '--quiet', gitURL, 'main');
}

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
    await mkdir(repoRoot);
    await seed(forge.gitURL, repoRoot);
    const { url, gitURL, owner, repo, appID, installationID, privateKey } = forge;
    const clone = new URL(gitURL);
    clone.username = '';
    clone.password = '';
    const access = { url, gitURL: clone.href, owner, repo, appID, installationID, privateKey };
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
    const provider = createGitHubProvider({ ...access, baseURL: url, specsDir: 'docs/specs/', defaultBranch: 'main' });
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

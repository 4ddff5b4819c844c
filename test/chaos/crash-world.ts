import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';
import type { EngineProcessOptions } from '../e2e/engine-process.ts';
import type { EngineLife } from '../e2e/live-engine.ts';
import { liveEngine } from '../e2e/live-engine.ts';
import type { FaultProxy } from '../fault-proxy/create-fault-proxy.ts';
import { createFaultProxy } from '../fault-proxy/create-fault-proxy.ts';
import { gitText } from '../git-text.ts';
import type { CrashPoint, Seams } from './crash-points.ts';
import { requestName } from './crash-points.ts';
import { createDeadlyGit } from './deadly-git.ts';
import { appAccessOf, providerOptions } from '../world/forge-access.ts';
import { planSteps, reviewSteps, writeSteps } from '../world/scripted-steps.ts';
import { approvedSpec, seedRepository } from '../world/seed-repository.ts';

/** Two items; the second waits for the first. The first is sent back once by its reviewer. */
const SCENARIO: EngineProcessOptions['scenario'] = {
  runs: [
    {
      role: 'planner',
      steps: planSteps([
        { tempID: 'one', title: 'one' },
        { tempID: 'two', title: 'two', blockedBy: ['one'] },
      ]),
    },
    { role: 'implementor', title: 'one', isRevised: true, steps: writeSteps('one.txt', 'one, better\n') },
    { role: 'implementor', title: 'one', steps: writeSteps('one.txt', 'one\n') },
    { role: 'implementor', title: 'two', steps: writeSteps('two.txt', 'two\n') },
    { role: 'reviewer', title: 'two', steps: reviewSteps('approve') },
    { role: 'reviewer', title: 'one', prompt: 'one, better', steps: reviewSteps('approve') },
    { role: 'reviewer', title: 'one', steps: reviewSteps('needs-changes') },
  ],
};

const FILES = {
  'docs/specs/a.md': approvedSpec('Two files.'),
  '.gitignore': '.decree\n.worktrees\n.agentic-workflow-cache.json\n',
};

export interface CrashWorld {
  /** Starts the engine; it is killed at the point, once, if it gets there. */
  live(point?: CrashPoint): EngineLife;
  /** What this life has asked of the outside world so far. */
  seams(life: EngineLife): Seams;
  /** Whether both items are merged and closed on the forge. */
  isDone(): Promise<boolean>;
  /** Everything that is not as it should be after the end; empty if all is well. */
  wrongs(): Promise<string[]>;
  close(): Promise<void>;
}

export async function createCrashWorld(privateKey: string): Promise<CrashWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-crash-'));
  const repoRoot = path.join(folder, 'checkout');
  const forge = await createEmbeddedForge({ dir: path.join(folder, 'forge'), privateKey });
  const proxy = await createFaultProxy(forge.url);
  await seedRepository(repoRoot, forge.gitURL, FILES);
  const gitURL = proxy.url + new URL(forge.gitURL).pathname;
  const app = { ...appAccessOf(forge), gitURL };
  const git = createDeadlyGit(path.join(folder, 'tools'));
  const provider = createGitHubProvider(providerOptions(app));
  const repository = path.join(folder, 'forge', 'repository.git');

  async function wrongs(): Promise<string[]> {
    const found: string[] = [];
    const expect = (what: string, actual: unknown, wanted: unknown) => {
      const [a, w] = [JSON.stringify(actual), JSON.stringify(wanted)];
      if (a !== w) found.push(`${what}: ${a}, wanted ${w}`);
    };
    const items = await Promise.all(
      ['1', '2', '3', '4', '5', '6', '7'].map((id) => provider.workItemReader.getWorkItem(id)),
    );
    const issues = items.filter((item) => item?.title === 'one' || item?.title === 'two');
    const isPull = async (id: string) => (await provider.revisionReader.getRevision(id)) !== null;
    const pulls = (
      await Promise.all(issues.map(async (item) => ((await isPull(item?.id ?? '')) ? item?.id : null)))
    ).filter(Boolean);
    const tasks = issues.filter((item) => !pulls.includes(item?.id));
    expect(
      'issues',
      tasks.map((item) => [item?.title, item?.status, item?.closedAs]),
      [
        ['one', 'closed', 'completed'],
        ['two', 'closed', 'completed'],
      ],
    );
    expect('pull requests', pulls.length, 2);
    const branches = await gitText(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads');
    expect('branches', branches.trim().split('\n').length, 3);
    const files = await gitText(repository, 'ls-tree', '-r', '--name-only', 'main');
    expect('files', files.trim().split('\n'), ['.gitignore', 'docs/specs/a.md', 'one.txt', 'two.txt']);
    expect('one.txt', await gitText(repository, 'show', 'main:one.txt'), 'one, better\n');
    for (const id of pulls) {
      const history = await provider.revisionReader.getReviewHistory(id ?? '');
      const isFirst = (await provider.revisionReader.getRevision(id ?? ''))?.workItemID === tasks[0]?.id;
      expect(`reviews of #${id}`, history.reviews.length, isFirst ? 2 : 1);
    }
    const journal = createSqliteJournal(path.join(repoRoot, '.decree', 'journal.db'));
    const { openCommands } = await journal.load();
    expect(
      'open commands',
      openCommands.map(({ command }) => command.type),
      [],
    );
    // A result that was paid for is used: no implementor or reviewer completed more than its one run.
    const events = await journal.readEvents(0, 100_000);
    const completed = events.filter(({ body }) => body.type === 'runCompleted');
    expect('completed runs', completed.length, 7);
    // And none was stored and then left aside.
    const sessions = new Set(events.flatMap(({ body }) => (body.type === 'runStarted' ? [body.sessionID] : [])));
    const stored = await Promise.all([...sessions].map((sessionID) => journal.loadResult(sessionID)));
    expect('stored results', stored.filter((result) => result !== null).length, 7);
    await journal.close();
    const workspaces = await readdir(path.join(repoRoot, '.worktrees')).catch(() => []);
    expect('folders of agents that are left over', workspaces, []);
    return found;
  }

  return {
    live: (point) => {
      proxy.reset();
      const options = { repoRoot, forge: { ...app, url: proxy.url }, scenario: SCENARIO, mergesApproved: true };
      if (point?.kind === 'git') git.killAt(point.name, point.nth, point.when);
      const killAt = point?.kind === 'journal' ? { call: point.name, nth: point.nth, when: point.when } : undefined;
      const life = liveEngine(killAt === undefined ? options : { ...options, killAt }, { tools: git.folder });
      if (point?.kind === 'forge') killAtRequest(proxy, life, point);
      return life;
    },
    seams: ({ journalCalls }) => ({ journalCalls, requests: proxy.requests, gitCommands: git.commands() }),
    isDone: async () => {
      const files = await gitText(repository, 'ls-tree', '-r', '--name-only', 'main');
      return files.includes('two.txt') && (await provider.workItemReader.listWorkItems()).length === 0;
    },
    wrongs,
    close: async () => {
      await proxy.close();
      await forge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function killAtRequest(proxy: FaultProxy, life: EngineLife, point: CrashPoint & { kind: 'forge' }): void {
  let matches = 0;
  const isHere = ({ method, path: target }: { method: string; path: string }) => {
    const isMatch = requestName(method, target) === point.name && ++matches === point.nth;
    if (isMatch && point.when !== 'after') life.kill('SIGKILL');
    return isMatch;
  };
  switch (point.when) {
    case 'before':
      return proxy.inject(isHere, { kind: 'drop' }, 1);
    case 'applied':
      return proxy.inject(isHere, { kind: 'drop-after-applying' }, 1);
    case 'after':
      return proxy.inject(isHere, { kind: 'rewrite', rewrite: (answer) => (killSoon(life), answer) }, 1);
  }
}

/** Gives the answer a moment to be heard. */
function killSoon(life: EngineLife): void {
  setTimeout(() => life.kill('SIGKILL'), 2);
}

/**
 * The engine as a library: an embedded forge, agents that follow a script, one spec. It ends when the pull request of
 * the planned item is approved. Run it with `node examples/one-item.ts`.
 *
 * In a project that has decree installed, import from 'decree' instead of '../src/index.ts'.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEmbeddedForge, createEngine, createGitHubProvider, createScriptedAdapter } from '../src/index.ts';
import type { Script } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'decree-example-'));
const repoRoot = join(folder, 'checkout');
const specsDir = 'docs/specs/';
const defaultBranch = 'main';

const script: Script = (params) => {
  switch (params.role) {
    case 'planner': {
      const item = { tempID: 'hello', title: 'Say hello', body: 'Add hello.txt.', labels: [], blockedBy: [] };
      return [{ do: 'return', output: { role: 'planner', create: [item], close: [], update: [] } }];
    }
    case 'implementor':
      return [
        { do: 'print', text: 'Writing hello.txt.\n' },
        { do: 'write', path: 'hello.txt', content: 'Hello\n' },
        { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: 'It says hello.' } },
      ];
    case 'reviewer':
      return [
        {
          do: 'return',
          output: { role: 'reviewer', review: { verdict: 'approve', summary: 'It does.', comments: [] } },
        },
      ];
  }
};

const forge = await createEmbeddedForge({ dir: join(folder, 'forge') });
await pushSpec(forge.gitURL);

const { url: baseURL, gitURL, owner, repo, appID, installationID, privateKey } = forge;
const pollInterval = 0.2;

const engine = createEngine({
  config: {
    forge: 'embedded',
    issuePoller: { pollInterval },
    specPoller: { pollInterval, specsDir, defaultBranch },
    prPoller: { pollInterval },
    agents: { dispatch: 'auto' },
  },
  repoRoot,
  provider: createGitHubProvider({
    appID,
    installationID,
    privateKey,
    owner,
    repo,
    baseURL,
    gitURL,
    specsDir,
    defaultBranch,
  }),
  runtime: (deps) =>
    createScriptedAdapter(
      {
        script,
        repoRoot,
        defaultBranch,
        maxAgentDuration: 60,
        logging: { agentSessions: false, logsDir: join(folder, 'logs') },
      },
      deps,
    ),
});

const approved = Promise.withResolvers<void>();
engine.on((event) => {
  if (event.type === 'prLinked') console.log(`Pull request #${event.prNumber} for #${event.issueNumber}`);
  if (event.type !== 'issueStatusChanged') return;
  console.log(`#${event.issueNumber} ${event.title}: ${event.newStatus ?? 'closed'}`);
  if (event.newStatus === 'approved') approved.resolve();
});

try {
  await engine.start();
  await approved.promise;
} finally {
  await engine.stop();
  await forge.close();
  rmSync(folder, { recursive: true, force: true });
}

/** What a person does: commits an approved spec and pushes it. */
async function pushSpec(to: string): Promise<void> {
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: repoRoot });
  mkdirSync(join(repoRoot, 'docs', 'specs'), { recursive: true });
  writeFileSync(join(repoRoot, 'docs', 'specs', 'hello.md'), '---\nstatus: approved\n---\n\n# Somebody says hello\n');
  await git('init', '--initial-branch', defaultBranch);
  await git('add', '--all');
  await git('-c', 'user.name=me', '-c', 'user.email=me@example.com', 'commit', '--message', 'Approve the spec');
  await git('push', to, defaultBranch);
}

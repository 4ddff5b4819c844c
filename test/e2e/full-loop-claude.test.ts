import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { RuntimeAdapter } from '../../src/engine/ports.ts';
import { createClaudeRuntime } from '../../src/engine/runtime-adapter/claude/create-claude-runtime.ts';
import { createToolGuard } from '../../src/engine/runtime-adapter/guards/create-tool-guard.ts';
import { createSessionAdapter } from '../../src/engine/runtime-adapter/session/create-session-adapter.ts';
import type { RuntimeAdapterDeps } from '../../src/engine/runtime-adapter/types.ts';
import { createWorkspaces } from '../../src/engine/runtime-adapter/workspace/create-workspaces.ts';
import { offlineEnvironment, writeDefinitions } from '../claude/claude-harness.ts';
import { startScriptedModel } from '../scripted-model/scripted-model.ts';
import type { ScriptedModel } from '../scripted-model/scripted-model.ts';
import { finish, message, text, tool } from '../scripted-model/turn.ts';
import type { Turn } from '../scripted-model/turn.ts';
import { PLAN, createFullLoopWorld, createRounds, filesOf, reviewOf } from './full-loop-world.ts';
import type { FullLoopWorld } from './full-loop-world.ts';
import { fullLoopAssertions } from './full-loop.contract.test.ts';

let world: FullLoopWorld | null = null;
let model: ScriptedModel | null = null;

function implement(folder: string, title: string, round: number): Turn[] {
  const edits = Object.entries(filesOf(title, round)).map(([file, content]) =>
    content === null
      ? tool('Bash', { command: `git rm -q --ignore-unmatch ${file}`, description: 'Remove it' })
      : tool('Write', { file_path: path.join(folder, file), content }),
  );
  const reads = Object.keys(filesOf(title, round)).map((file) => tool('Read', { file_path: path.join(folder, file) }));
  const isRewriting = title === 'alpha' || title === 'beta' || (title === 'gamma' && round === 2);
  return [
    ...(isRewriting ? [message(text('Looking at what is there.'), ...reads)] : []),
    message(text(`Writing ${title}.`), ...edits),
    finish({ role: 'implementor', outcome: 'completed', summary: title }),
  ];
}

/** One runtime per run, so that each session has its own script: the scripted model tells them apart by their URL. */
function createRuntime(scripted: ScriptedModel, deps: RuntimeAdapterDeps, repoRoot: string): RuntimeAdapter {
  const adapters = new Map<string, RuntimeAdapter>();
  const roundOf = createRounds();
  const config = {
    maxAgentDuration: 120,
    logging: { agentSessions: false, logsDir: path.join(repoRoot, 'logs') },
    repoRoot,
    defaultBranch: 'main',
    setupCommand: false,
    sandbox: 'off',
    contextPaths: [],
    agentEnvironment: () => ({ PATH: process.env['PATH'] ?? '', HOME: repoRoot }),
  } as const;
  const workspaces = createWorkspaces(config, deps);

  return {
    startAgent: (params, keep) => {
      const round = roundOf(params);
      const title = params.role === 'planner' ? '' : (deps.getState().workItems.get(params.workItemID)?.title ?? '');
      const folder = params.role === 'implementor' ? path.join(repoRoot, '.worktrees', params.branchName) : '';
      const turns = {
        planner: () => [finish(PLAN)],
        reviewer: () => [finish({ role: 'reviewer', review: reviewOf(title, round) })],
        implementor: () => implement(folder, title, round),
      }[params.role]();
      const baseURL = scripted.play(params.sessionID, turns);
      const claude = { ...config, agentEnvironment: offlineEnvironment(config, baseURL) };
      const runtime = createClaudeRuntime(claude, deps, (role, root) => createToolGuard({ role, root }));
      const adapter = createSessionAdapter(config, deps, workspaces, runtime);
      adapters.set(params.sessionID, adapter);
      return adapter.startAgent(params, keep);
    },
    takeOver: async () => null,
    cancelAgent: (sessionID) => adapters.get(sessionID)?.cancelAgent(sessionID),
  };
}

beforeAll(async () => {
  const scripted = await startScriptedModel();
  model = scripted;
  world = await createFullLoopWorld((deps, repoRoot) => createRuntime(scripted, deps, repoRoot));
  await writeDefinitions(world.repoRoot);
  await world.engine.start();
  await world.playHuman(200_000);
}, 220_000);
afterAll(async () => {
  await world?.close();
  await model?.[Symbol.asyncDispose]();
});

fullLoopAssertions('Claude on the real SDK and a scripted model', () => {
  if (world === null) throw new Error('the world was not made');
  return world;
});

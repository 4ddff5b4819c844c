import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { RuntimeAdapter } from '../../src/engine/ports.ts';
import { createClaudeAdapter } from '../../src/engine/runtime-adapter/claude/create-claude-adapter.ts';
import type { RuntimeAdapterDeps } from '../../src/engine/runtime-adapter/types.ts';
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

/** One adapter per run, so that each session has its own script: the scripted model tells them apart by their URL. */
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

  return {
    startAgent: (params) => {
      const round = roundOf(params);
      const title = params.role === 'planner' ? '' : (deps.getState().workItems.get(params.workItemID)?.title ?? '');
      const folder = params.role === 'implementor' ? path.join(repoRoot, '.worktrees', params.branchName) : '';
      const turns = {
        planner: () => [finish(PLAN)],
        reviewer: () => [finish({ role: 'reviewer', review: reviewOf(title, round) })],
        implementor: () => implement(folder, title, round),
      }[params.role]();
      const baseURL = scripted.play(params.sessionID, turns);
      const adapter = createClaudeAdapter({ ...config, agentEnvironment: offlineEnvironment(config, baseURL) }, deps);
      adapters.set(params.sessionID, adapter);
      return adapter.startAgent(params);
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

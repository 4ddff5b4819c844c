import path from 'node:path';
import type { EngineOptions } from '../../src/engine/create-engine.ts';
import type { Scenario } from '../../src/engine/runtime-adapter/scripted/scenario.ts';
import type { Script } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import { createScriptedAdapter } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';

/** Agents that follow a script, for `createEngine`. `maxAgentDuration` is in seconds. */
export function scriptedRuntime(
  repoRoot: string,
  script: Script | Scenario,
  maxAgentDuration = 60,
): EngineOptions['runtime'] {
  const logging = { agentSessions: false, logsDir: path.join(repoRoot, 'logs') };
  const config = { maxAgentDuration, logging, repoRoot, defaultBranch: 'main', setupCommand: false, script } as const;
  return (deps) => createScriptedAdapter(config, deps);
}

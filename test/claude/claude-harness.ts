import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RuntimeAdapter } from '../../src/engine/ports.ts';
import { defaultAgentDefinition } from '../../src/engine/runtime-adapter/agent-definitions/default-agent-definition.ts';
import type { ClaudeAdapterConfig } from '../../src/engine/runtime-adapter/claude/claude-adapter-config.ts';
import { createClaudeAdapter } from '../../src/engine/runtime-adapter/claude/create-claude-adapter.ts';
import { agentEnvironment } from '../../src/engine/runtime-adapter/guards/agent-environment.ts';
import type { RuntimeAdapterConfig, RuntimeAdapterDeps } from '../../src/engine/runtime-adapter/types.ts';
import { AGENT_ROLES } from '../../src/domain/run.ts';
import {
  createRuntimeAdapterFixture,
  makeTemplate,
  type RuntimeAdapterFixture,
} from '../contracts/runtime-adapter-fixture.ts';
import { startScriptedModel, type ScriptedModel } from '../scripted-model/scripted-model.ts';
import type { Script } from '../scripted-model/turn.ts';

/** The Claude adapter on the real SDK, its real child process and real git; only the model is scripted. */
export interface ClaudeHarness extends AsyncDisposable {
  readonly fixture: RuntimeAdapterFixture;
  readonly model: ScriptedModel;
  /** An adapter whose agents follow the script; `scenario` names its requests. */
  adapter(scenario: string, script: Script, options?: HarnessOptions): Promise<RuntimeAdapter>;
  /** What a child process gets to see when the model is at `baseURL`. */
  environment(baseURL: string): Record<string, string>;
}

interface HarnessOptions {
  readonly config?: Partial<ClaudeAdapterConfig>;
  readonly deps?: Partial<RuntimeAdapterDeps>;
  /** Added to what the child process gets to see. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startClaudeHarness(): Promise<ClaudeHarness> {
  const template = await makeTemplate();
  const fixture = await createRuntimeAdapterFixture(template);
  await rm(template, { recursive: true });
  const model = await startScriptedModel();
  return {
    fixture,
    model,
    adapter: async (scenario, script, { config, deps, env } = {}) => {
      // Without a sandbox, so that the tests do the same on every machine.
      const merged = { ...fixture.config, sandbox: 'off' as const, ...config };
      await writeDefinitions(merged.repoRoot);
      return createClaudeAdapter(
        { ...merged, agentEnvironment: offlineEnvironment(merged, model.play(scenario, script), env) },
        { ...fixture.deps, ...deps },
      );
    },
    environment: (baseURL) => offlineEnvironment(fixture.config, baseURL)(),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await fixture.close();
    },
  };
}

/** What an agent's process sees when the model is at `baseURL`; everything that it writes is beside the checkout. */
export function offlineEnvironment(
  config: RuntimeAdapterConfig,
  baseURL: string,
  env: Readonly<Record<string, string>> = {},
): () => Record<string, string> {
  const home = dirname(config.repoRoot);
  return () =>
    agentEnvironment(config.agentEnvironment?.() ?? {}, {
      extra: {
        ANTHROPIC_BASE_URL: baseURL,
        ANTHROPIC_API_KEY: 'not-a-key',
        CLAUDE_CONFIG_DIR: join(home, 'claude'),
        TMPDIR: home,
        ...env,
      },
    });
}

/** Writes the default definitions into a repository, as `decree init` does. */
export async function writeDefinitions(repoRoot: string): Promise<void> {
  const folder = join(repoRoot, '.claude', 'agents');
  await mkdir(folder, { recursive: true });
  for (const role of AGENT_ROLES) await writeFile(join(folder, `${role}.md`), await defaultAgentDefinition(role));
}

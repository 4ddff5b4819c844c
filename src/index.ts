/** decree as a library: the engine, its providers and runtimes, and the pure parts that are of use alone. */
export { defineConfig } from './config/parse-config.ts';
export { createEngine } from './engine/create-engine.ts';
export { createGitHubProvider } from './engine/github-provider/create-github-provider.ts';
export { createClaudeAdapter } from './engine/runtime-adapter/claude/create-claude-adapter.ts';
export { validateBashCommand } from './engine/runtime-adapter/guards/bash/validate-bash-command.ts';
export { createScriptedAdapter } from './engine/runtime-adapter/scripted/create-scripted-adapter.ts';
export { createEmbeddedForge } from './forge/create-embedded-forge.ts';
export { applyPatch } from './patch/apply-patch.ts';
export { parsePatch } from './patch/parse-patch.ts';

export { ConfigError } from './config/config-error.ts';
export { PatchError, ProviderError } from './domain/provider-error.ts';
export { JournalError } from './engine/journal-port.ts';
export { RunError } from './engine/ports.ts';

export type { Config, ConfigInput } from './config/schema.ts';
export type * from './domain/agent-result.ts';
export type * from './domain/command.ts';
export type * from './domain/revision.ts';
export type * from './domain/run.ts';
export type * from './domain/spec.ts';
export type * from './domain/work-item.ts';
export type { EngineOptions } from './engine/create-engine.ts';
export type * from './engine/engine-types.ts';
export type { GitHubProvider, GitHubProviderConfig } from './engine/github-provider/types.ts';
export type { Journal } from './engine/journal-port.ts';
export type * from './engine/ports.ts';
export type * from './engine/query-port.ts';
export type { ClaudeAdapterConfig } from './engine/runtime-adapter/claude/claude-adapter-config.ts';
export type { BashValidatorOptions, Decision } from './engine/runtime-adapter/guards/bash/validate-bash-command.ts';
export type {
  Script,
  ScriptContext,
  ScriptedAdapterConfig,
  Steps,
} from './engine/runtime-adapter/scripted/create-scripted-adapter.ts';
export type { Scenario, Step } from './engine/runtime-adapter/scripted/scenario.ts';
export type { RuntimeAdapterConfig, RuntimeAdapterDeps } from './engine/runtime-adapter/types.ts';
export type { EmbeddedForge, EmbeddedForgeOptions } from './forge/create-embedded-forge.ts';
export type { FilePatch, ParsedPatch } from './patch/file-patch.ts';

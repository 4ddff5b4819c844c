import type { RuntimeAdapter } from '../../ports.ts';
import { createToolGuard } from '../guards/create-tool-guard.ts';
import { createSessionAdapter } from '../session/create-session-adapter.ts';
import type { RuntimeAdapterDeps } from '../types.ts';
import { createWorkspaces } from '../workspace/create-workspaces.ts';
import type { ClaudeAdapterConfig } from './claude-adapter-config.ts';
import { createClaudeRuntime } from './create-claude-runtime.ts';
import { commandLauncher } from './session-surroundings.ts';

/**
 * The runtime that runs agents with Claude. Agent definitions and project context are read from `repoRoot` at every
 * start; the SDK is loaded when the first agent starts.
 */
export function createClaudeAdapter(config: ClaudeAdapterConfig, deps: RuntimeAdapterDeps): RuntimeAdapter {
  const runtime = createClaudeRuntime(config, deps, (role, root) =>
    createToolGuard({ role, root, allow: config.bashAllow, extraTools: config.extraTools }),
  );
  return createSessionAdapter(config, deps, createWorkspaces(config, deps, commandLauncher(config)), runtime);
}

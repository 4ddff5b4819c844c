import { join } from 'node:path';
import type { SandboxSettings } from '@anthropic-ai/claude-agent-sdk';
import type { AgentRole } from '../../../domain/run.ts';
import type { Logger } from '../../ports.ts';
import { missingSandboxTools, sandboxSettings } from '../guards/sandbox-settings.ts';
import { agentEnvironmentOf } from '../workspace/create-workspaces.ts';
import type { ClaudeAdapterConfig } from './claude-adapter-config.ts';
import { SESSION_VARIABLE } from '../session/end-session-processes.ts';

/** The environment of everything on an agent's behalf, marked with its session, and with what must never be missing. */
export function sessionEnvironment(config: ClaudeAdapterConfig, sessionID: string): Record<string, string> {
  return {
    ...agentEnvironmentOf(config),
    // Set here as well: without it, text such as @/path in an issue pulls that file into the prompt.
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    // The CLI refuses to run unattended as root without it.
    ...(process.getuid?.() === 0 && { IS_SANDBOX: '1' }),
    [SESSION_VARIABLE]: sessionID,
  };
}

/** The SDK's sandbox, or undefined where the session runs without one. Throws if one is required and not to be had. */
export function sessionSandbox(
  config: ClaudeAdapterConfig,
  run: { readonly role: AgentRole; readonly folder: string; readonly env: Readonly<Record<string, string>> },
  logger: Logger,
): SandboxSettings | undefined {
  const { sandbox, warning } = sandboxSettings({
    mode: config.sandbox ?? 'auto',
    missing: missingSandboxTools(run.env['PATH'] ?? ''),
    root: run.folder,
    home: run.env['HOME'],
    unreadable: config.unreadablePaths ?? [],
  });
  if (warning !== null) logger.warn({ role: run.role }, warning);
  if (sandbox === null) return undefined;
  // A worktree keeps its commits in the clone that it belongs to.
  const allowWrite = run.role === 'implementor' ? [join(config.repoRoot, '.decree', 'repo.git')] : [];
  return { ...sandbox, filesystem: { ...sandbox.filesystem, allowWrite } };
}

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxSettings } from '@anthropic-ai/claude-agent-sdk';
import type { AgentRole } from '../../../domain/run.ts';
import type { Logger } from '../../ports.ts';
import { sandboxLauncher } from '../guards/sandbox-launcher.ts';
import { cacheIn, sandboxEnvironment, sandboxRules } from '../guards/sandbox-rules.ts';
import type { SandboxedRun } from '../guards/sandbox-rules.ts';
import { createSandboxProbe, probeSandbox } from '../guards/probe-sandbox.ts';
import type { SandboxProbe } from '../guards/probe-sandbox.ts';
import { sandboxSettings } from '../guards/sandbox-settings.ts';
import type { SandboxDecision } from '../guards/sandbox-settings.ts';
import { SESSION_VARIABLE } from '../session/end-session-processes.ts';
import { agentEnvironmentOf } from '../workspace/create-workspaces.ts';
import type { CommandLauncher } from '../workspace/create-workspaces.ts';
import type { ClaudeAdapterConfig } from './claude-adapter-config.ts';

/** What a session runs in. */
export interface SessionSurroundings {
  readonly env: Record<string, string>;
  /** Undefined where the session runs without one. */
  readonly sandbox: SandboxSettings | undefined;
}

/** Rejects if a sandbox is required and not to be had. */
export async function sessionSurroundings(
  config: ClaudeAdapterConfig,
  run: { readonly role: AgentRole; readonly folder: string; readonly sessionID: string },
  logger: Logger,
  probe: SandboxProbe = probeSandbox,
): Promise<SessionSurroundings> {
  const env = sessionEnvironment(config, run.sessionID);
  const adminFolder = run.role === 'implementor' ? await adminFolderOf(config, run.folder) : null;
  const { sandbox, warning } = decideSandbox(config, env, { folder: run.folder, adminFolder }, probe);
  if (warning !== null) logger.warn({ role: run.role }, warning);
  if (sandbox === null) return { env, sandbox: undefined };
  return { env: { ...env, ...sandboxEnvironment(config.repoRoot) }, sandbox: { ...sandbox } };
}

/**
 * Puts commands on an agent's behalf, set-up and CI, under the rules that agents have. It throws if a sandbox is required
 * and not to be had.
 */
export function commandLauncher(config: SandboxConfig): CommandLauncher {
  const probe = createSandboxProbe();
  return ({ folder, adminFolder }) => {
    const env = agentEnvironmentOf(config);
    const { sandbox } = decideSandbox(config, env, { folder, adminFolder }, probe);
    if (sandbox === null) return [];
    const temporary = join(cacheIn(config.repoRoot), 'tmp');
    return sandboxLauncher({ folder, rules: sandbox.filesystem, temporary, env: sandboxEnvironment(config.repoRoot) });
  };
}

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

type SandboxConfig = Pick<ClaudeAdapterConfig, 'repoRoot' | 'sandbox' | 'unreadablePaths' | 'agentEnvironment'>;

function decideSandbox(
  config: SandboxConfig,
  env: Readonly<Record<string, string>>,
  run: Pick<SandboxedRun, 'folder' | 'adminFolder'>,
  probe: SandboxProbe,
): SandboxDecision {
  const rules = sandboxRules({
    ...run,
    repoRoot: config.repoRoot,
    home: env['HOME'],
    claudeFolder: env['CLAUDE_CONFIG_DIR'],
    unreadable: config.unreadablePaths,
  });
  return sandboxSettings({
    mode: config.sandbox ?? 'auto',
    obstacle: config.sandbox === 'off' ? null : probe(env['PATH'] ?? ''),
    rules,
  });
}

/** Only a folder of decree's own clone counts, whatever the worktree says. */
async function adminFolderOf(config: ClaudeAdapterConfig, folder: string): Promise<string | null> {
  const text = await readFile(join(folder, '.git'), 'utf8').catch(() => '');
  const named = /^gitdir: (.+)$/m.exec(text)?.[1] ?? null;
  const parent = join(config.repoRoot, '.decree', 'repo.git', 'worktrees');
  return named !== null && dirname(named) === parent ? named : null;
}

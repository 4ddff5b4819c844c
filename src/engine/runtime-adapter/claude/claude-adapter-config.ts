import type { AgentRole } from '../../../domain/run.ts';
import type { SandboxMode } from '../guards/sandbox-settings.ts';
import type { RuntimeAdapterConfig } from '../types.ts';

export interface ClaudeAdapterConfig extends RuntimeAdapterConfig {
  /** Files appended to every agent's instructions, relative to `repoRoot`. Default: `.claude/CLAUDE.md` if it exists. */
  readonly contextPaths?: readonly string[] | undefined;
  /** Names of the definition files `.claude/agents/<name>.md`. Default: the role's own name. */
  readonly agentNames?: Partial<Readonly<Record<AgentRole, string>>> | undefined;
  /** Commands that agents may run beyond the built-in list. */
  readonly bashAllow?: readonly string[] | undefined;
  /** Tools that agents may use, if their definition lists them, beyond files and Bash: `WebFetch`, `mcp__docs__*`. */
  readonly extraTools?: readonly string[] | undefined;
  /** Default `auto`: sandboxed where the system can do it. */
  readonly sandbox?: SandboxMode | undefined;
  /** Absolute paths that no agent may read: the forge's key file above all. */
  readonly unreadablePaths?: readonly string[] | undefined;
}

import type { AgentStartParams, RunUsage } from '../../ports.ts';

/**
 * What one kind of agent adds to the shared session: how its prompt is made and how it is started. Workspaces,
 * deadline, cancellation, output, validation, patches and clean-up are the session's (`createSessionAdapter`).
 */
export interface AgentRuntime {
  /** The prompt, with everything the agent is told. Runs beside the set-up of the workspace. May reject. */
  assemblePrompt(params: AgentStartParams): Promise<string>;
  /**
   * Resolves when the agent is running. May reject; then nothing of it may be left running, and the session removes
   * the workspace.
   */
  launch(params: AgentStartParams, context: LaunchContext): Promise<RunningAgent>;
}

export interface LaunchContext {
  /** Absolute path of the agent's working folder. */
  readonly folder: string;
  readonly prompt: string;
  /** Aborted when the run is cancelled or out of time. */
  readonly signal: AbortSignal;
  /** Adds human-readable text to the live output. Control characters are removed. Never throws. */
  print(text: string): void;
}

export interface RunningAgent {
  /**
   * Settles when the agent and every process of it are gone, soon after `signal` is aborted at the latest. Resolves
   * with what it returned, not validated. Rejects with RunError to name a kind (`over-budget`, `invalid-output` ...),
   * with any other error for `failed`. After an abort the session ignores how it settled.
   */
  readonly completion: Promise<unknown>;
  /** What it has used so far; asked once, after `completion` has settled. Must not throw. */
  usage(): AgentUsage;
  /**
   * Called once, when everything else is done and before the handle's `result` settles, so that a transcript can be
   * closed. A rejection is logged and changes nothing.
   */
  finish?(outcome: SessionOutcome): Promise<void>;
  readonly logFilePath: string | null;
  /** Process id of the agent, if it is a process of its own. */
  readonly pid: number | null;
}

export type SessionOutcome = 'completed' | 'failed' | 'cancelled';

export type AgentUsage = Omit<RunUsage, 'durationMs'>;

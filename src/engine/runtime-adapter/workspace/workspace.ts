import type { PatchArtifact } from '../../../domain/agent-result.ts';
import type { AgentStartParams } from '../../ports.ts';

export interface Workspaces {
  /**
   * Makes the folder that a run works in, set up and ready. Rejects if that fails or `signal` is aborted; then
   * nothing is left behind. Many may be opened at the same time.
   */
  open(params: AgentStartParams, signal: AbortSignal): Promise<Workspace>;
  /**
   * Saves and removes what a run of an earlier process left. Returns the ref under which its work is kept, or null.
   * None of its processes may be alive.
   */
  takeOver(sessionID: string): Promise<string | null>;
}

export interface Workspace {
  /** Absolute path; the agent's working folder. */
  readonly folder: string;
  /** Paths in it that the agent has to settle: files with conflict markers, and versions that were put aside. */
  readonly conflicts: readonly string[];
  /** Everything that changed since set-up, committed or not; null if nothing did. Rejects while a conflict is left. */
  extract(signal: AbortSignal): Promise<PatchArtifact | null>;
  /**
   * Removes folder and branch; to be called once. With `saveWork`, first keeps the work, uncommitted files included,
   * under `refs/decree/runs/<sessionID>` of decree's clone and returns that ref, or null if there was nothing to keep.
   * If saving fails nothing is removed: the next run to be opened tries again. May reject.
   */
  close(options: { saveWork: boolean }): Promise<string | null>;
}

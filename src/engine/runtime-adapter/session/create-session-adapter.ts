import type { AgentRunHandle, AgentStartParams, KeepResult, RuntimeAdapter } from '../../ports.ts';
import { withConflicts } from '../context-assembly/with-conflicts.ts';
import type { RuntimeAdapterConfig, RuntimeAdapterDeps } from '../types.ts';
import type { Workspace, Workspaces } from '../workspace/workspace.ts';
import type { AgentRuntime, RunningAgent } from './agent-runtime.ts';
import { endIdentifiedProcess, identifyProcess } from './agent-process-identity.ts';
import { endSessionProcesses } from './end-session-processes.ts';
import { createOutputBuffer } from './output-buffer.ts';
import { createStopSignal } from './stop-signal.ts';
import { superviseRun } from './supervise-run.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * Makes a runtime adapter out of one kind of agent. A run goes through
 *
 *   opening (workspace and prompt) --> launching --> running --> closing (validate, extract, keep, save, remove) --> settled
 *
 * A failure or cancellation while opening or launching rejects `startAgent`; from `running` on it rejects the
 * handle's `result`. On every path the workspace is gone before the promise settles.
 */
export function createSessionAdapter(
  config: Pick<RuntimeAdapterConfig, 'maxAgentDuration'>,
  deps: Pick<RuntimeAdapterDeps, 'clock' | 'logger'>,
  workspaces: Workspaces,
  runtime: AgentRuntime,
): RuntimeAdapter {
  const cancels = new Map<string, () => void>();

  async function startAgent(params: AgentStartParams, keep: KeepResult = async () => {}): Promise<AgentRunHandle> {
    const { sessionID } = params;
    if (cancels.has(sessionID)) throw new Error(`session ${sessionID} is already running; every run needs its own id`);
    const stop = createStopSignal(deps.clock, config.maxAgentDuration);
    cancels.set(sessionID, () => stop.cancel());
    const release = (): void => {
      stop.stopCounting();
      cancels.delete(sessionID);
    };
    const buffer = createOutputBuffer();
    try {
      const { workspace, agent } = await prepare(params, stop.signal, (text) => buffer.print(text));
      stop.restartCounting();
      const { result, usage } = superviseRun({ params, workspace, agent, stop, buffer, release, keep, ...deps });
      const { logFilePath, pid } = agent;
      const process = pid === null ? null : await identifyProcess(pid);
      return { output: buffer.output, result, usage, logFilePath, process };
    } catch (error) {
      buffer.end();
      release();
      throw stop.failure() ?? error;
    }
  }

  async function prepare(
    params: AgentStartParams,
    signal: AbortSignal,
    print: (text: string) => void,
  ): Promise<{ workspace: Workspace; agent: RunningAgent }> {
    const assembled = untilAborted(runtime.assemblePrompt(params), signal);
    // Looked at below; a failure in the meantime is not an unhandled rejection.
    assembled.catch(() => undefined);
    const workspace = await workspaces.open(params, signal);
    try {
      const prompt = withConflicts(await assembled, workspace.conflicts);
      signal.throwIfAborted();
      const context = { folder: workspace.folder, prompt, signal, print };
      return { workspace, agent: await runtime.launch(params, context) };
    } catch (error) {
      await closeQuietly(workspace, params);
      throw error;
    }
  }

  async function closeQuietly(workspace: Workspace, params: AgentStartParams): Promise<void> {
    try {
      await workspace.close({ saveWork: false });
    } catch (error) {
      deps.logger.error(
        { err: error, sessionID: params.sessionID },
        'workspace of a failed start could not be removed',
      );
    }
  }

  return {
    startAgent,
    cancelAgent: (sessionID) => cancels.get(sessionID)?.(),
    takeOver: async (sessionID, process = null) => {
      if (process !== null) await endIdentifiedProcess(process);
      await endSessionProcesses(sessionID);
      return workspaces.takeOver(sessionID);
    },
  };
}

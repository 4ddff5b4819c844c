import type { Revision } from '../../../domain/revision.ts';
import type { WorkItem } from '../../../domain/work-item.ts';
import type { AgentStartParams, RuntimeAdapter } from '../../ports.ts';
import { RunError } from '../../ports.ts';
import { buildContext } from '../context-assembly/build-context.ts';
import type { AgentRuntime, LaunchContext, RunningAgent } from '../session/agent-runtime.ts';
import { createSessionAdapter } from '../session/create-session-adapter.ts';
import { SESSION_VARIABLE } from '../session/end-session-processes.ts';
import { openTranscript } from '../transcript/open-transcript.ts';
import type { RuntimeAdapterConfig, RuntimeAdapterDeps } from '../types.ts';
import { agentEnvironmentOf, createWorkspaces } from '../workspace/create-workspaces.ts';
import type { Workspaces } from '../workspace/workspace.ts';
import { performStep } from './perform-step.ts';
import { parseScenario, stepsFor } from './scenario.ts';
import type { Scenario, Step } from './scenario.ts';

/** What a script by function may look at. */
export interface ScriptContext {
  /** The agent's working folder. */
  readonly folder: string;
  /** What a real agent would be told. */
  readonly prompt: string;
  /** As the engine sees them now; null for planners, and where there is none. */
  readonly workItem: WorkItem | null;
  readonly revision: Revision | null;
}

/** Steps that are known, or made one by one while the agent runs (a generator). */
export type Steps = Iterable<Step> | AsyncIterable<Step>;
export type Script = (params: AgentStartParams, context: ScriptContext) => Steps | Promise<Steps>;

export interface ScriptedAdapterConfig extends RuntimeAdapterConfig {
  /** As data, see `ScenarioSchema`, or by a function. */
  readonly script: Scenario | Script;
}

/**
 * An adapter whose agents follow a script: same worktrees, prompts, patches, validation and limits as with real agents,
 * but no model. It drives the demo, simulations and tests of the engine. A simulation that has no use for real patches
 * may pass `workspaces` of its own, and then no git runs at all.
 */
export function createScriptedAdapter(
  config: ScriptedAdapterConfig,
  deps: RuntimeAdapterDeps,
  workspaces: Workspaces = createWorkspaces(config, deps),
): RuntimeAdapter {
  const script = typeof config.script === 'function' ? config.script : scriptOf(parseScenario(config.script));

  const runtime: AgentRuntime = {
    assemblePrompt: (params) => buildContext(params, deps),
    launch: async (params, launch) => {
      const workItem = params.role === 'planner' ? null : (deps.getState().workItems.get(params.workItemID) ?? null);
      const revisionID = params.role === 'reviewer' ? params.revisionID : (workItem?.linkedRevision ?? null);
      const revision = revisionID === null ? null : (deps.getState().revisions.get(revisionID) ?? null);
      const { folder, prompt } = launch;
      const steps = await script(params, { folder, prompt, workItem, revision });
      return runScript(steps, params, launch);
    },
  };

  async function runScript(steps: Steps, params: AgentStartParams, launch: LaunchContext): Promise<RunningAgent> {
    const model = params.modelOverride ?? 'scripted';
    const used = { model, turns: 0, inputTokens: 0, outputTokens: 0, costUSD: 0 };
    const transcript = await openTranscript({
      enabled: config.logging.agentSessions,
      logsDir: config.logging.logsDir,
      subject: params,
      clock: deps.clock,
      logger: deps.logger,
    });
    transcript.write({ type: 'init', model, cwd: launch.folder, tools: [] });

    const context = {
      role: params.role,
      folder: launch.folder,
      environment: () => ({ ...agentEnvironmentOf(config), [SESSION_VARIABLE]: params.sessionID }),
      clock: deps.clock,
      signal: launch.signal,
      print: (text: string) => {
        transcript.write({ type: 'text', text });
        launch.print(text);
      },
      spend: (usd: number, inputTokens: number, outputTokens: number) => {
        used.costUSD += usd;
        used.inputTokens += inputTokens;
        used.outputTokens += outputTokens;
        if (used.costUSD > (params.budgetUSD ?? Infinity)) {
          throw new RunError('over-budget', `the run used ${used.costUSD} of its ${params.budgetUSD ?? 0} USD`);
        }
      },
    };

    async function perform(): Promise<unknown> {
      for await (const step of steps) {
        launch.signal.throwIfAborted();
        used.turns += 1;
        if (step.do !== 'print') transcript.write({ type: 'tool-use', name: step.do });
        const end = await performStep(step, context);
        if (end !== null) return end.output;
      }
      return undefined;
    }

    const completion = perform();
    return {
      completion,
      usage: () => ({ ...used }),
      finish: (outcome) => transcript.end(outcome),
      logFilePath: transcript.path,
      pid: null,
    };
  }

  return createSessionAdapter(config, deps, workspaces, runtime);
}

function scriptOf(scenario: Scenario): Script {
  return (params, { workItem, prompt }) =>
    stepsFor(scenario, params, {
      prompt,
      title: workItem?.title ?? null,
      isRevised: (workItem?.linkedRevision ?? null) !== null,
    });
}

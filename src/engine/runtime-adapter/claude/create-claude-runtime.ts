import type { SDKMessage, SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import type { AgentRole } from '../../../domain/run.ts';
import type { AgentStartParams } from '../../ports.ts';
import { RunError } from '../../ports.ts';
import { buildContext } from '../context-assembly/build-context.ts';
import type { ToolGuard } from '../guards/create-tool-guard.ts';
import { createSandboxProbe } from '../guards/probe-sandbox.ts';
import type { AgentRuntime, LaunchContext, RunningAgent } from '../session/agent-runtime.ts';
import { openTranscript } from '../transcript/open-transcript.ts';
import type { Transcript } from '../transcript/open-transcript.ts';
import type { RuntimeAdapterDeps } from '../types.ts';
import { createAgentProcess } from './agent-process.ts';
import type { AgentProcess } from './agent-process.ts';
import { buildQueryFactory } from './build-query-factory.ts';
import { checkTools } from './check-tools.ts';
import type { ClaudeAdapterConfig } from './claude-adapter-config.ts';
import { createStopper } from './create-stopper.ts';
import { followSession } from './follow-session.ts';
import { textsOf, transcriptEntries } from './session-messages.ts';
import { apiFailure, outputOf, usageOf } from './session-result.ts';
import { sessionSurroundings } from './session-surroundings.ts';

/**
 * Runs agents as sessions of the Claude Agent SDK, each in a child process of its own. `guardFor` makes the guard that
 * sees every call of a tool before it happens.
 */
export function createClaudeRuntime(
  config: ClaudeAdapterConfig,
  deps: RuntimeAdapterDeps,
  guardFor: (role: AgentRole, folder: string) => ToolGuard,
): AgentRuntime {
  const startQuery = buildQueryFactory(config);
  const probe = createSandboxProbe();

  async function launch(params: AgentStartParams, context: LaunchContext): Promise<RunningAgent> {
    const transcript = await openTranscript({
      enabled: config.logging.agentSessions,
      logsDir: config.logging.logsDir,
      subject: params,
      ...deps,
    });
    const child = createAgentProcess(params.sessionID);
    try {
      return await start(params, context, transcript, child);
    } catch (error) {
      await child.end(0);
      await transcript.end(isCancelled(context.signal) ? 'cancelled' : 'failed');
      throw error;
    }
  }

  async function start(
    params: AgentStartParams,
    context: LaunchContext,
    transcript: Transcript,
    child: AgentProcess,
  ): Promise<RunningAgent> {
    const { role, sessionID, modelOverride, budgetUSD } = params;
    const { folder, prompt, signal } = context;
    const { env, sandbox } = await sessionSurroundings(config, { role, folder, sessionID }, deps.logger, probe);
    const stopper = createStopper(child, signal);
    let result: SDKResultMessage | null = null;

    const { query, tools } = await startQuery({
      prompt,
      role,
      agent: config.agentNames?.[role] ?? role,
      cwd: folder,
      abortController: stopper.controller,
      guard: guardFor(role, folder),
      env,
      sessionID,
      modelOverride,
      budgetUSD,
      sandbox,
      spawn: child.spawn,
    });
    const session = followSession(query, (message) => {
      for (const text of textsOf(message)) context.print(text.endsWith('\n') ? text : `${text}\n`);
      for (const entry of transcriptEntries(message)) transcript.write(entry);
      if (isHopelessRetry(message)) stopper.stop(apiFailure('the login was refused', 401));
    });

    const complete = async (): Promise<unknown> => {
      try {
        result = await session.result;
        logRefusals(result, sessionID);
        return outputOf(result);
      } catch (error) {
        throw stopper.reason() ?? (error instanceof RunError ? error : brokenSession(error, child));
      } finally {
        stopper.release();
        await child.end(EXIT_PATIENCE_MS);
      }
    };
    const completion = complete();
    // Until somebody looks at it, a failure is not an unhandled rejection.
    completion.catch(() => undefined);

    const init = await session.started.catch((error: unknown) => {
      throw stopper.reason() ?? brokenSession(error, child);
    });
    checkTools(init, tools);
    return {
      completion,
      usage: () => usageOf(result, init.model),
      finish: (outcome) => transcript.end(outcome),
      logFilePath: transcript.path,
      pid: child.pid(),
    };
  }

  function logRefusals({ permission_denials: denials }: SDKResultMessage, sessionID: string): void {
    if (denials.length === 0) return;
    const tools = denials.map((denial) => denial.tool_name);
    deps.logger.info({ sessionID, tools }, 'Calls of tools were refused');
  }

  return { assemblePrompt: (params) => buildContext(params, deps), launch };
}

/** The CLI saves its session and ends by itself within milliseconds, unless something holds it. */
const EXIT_PATIENCE_MS = 1_000;

function isCancelled(signal: AbortSignal): boolean {
  return signal.reason instanceof RunError && signal.reason.kind === 'cancelled';
}

/** The CLI repeats a refused login for minutes. Once is enough: by then it has renewed what it could. */
function isHopelessRetry(message: SDKMessage): boolean {
  return (
    message.type === 'system' && message.subtype === 'api_retry' && message.error_status === 401 && message.attempt > 1
  );
}

function brokenSession(error: unknown, child: AgentProcess): RunError {
  const words = error instanceof Error ? error.message : String(error);
  const stderr = child.stderr();
  return new RunError('failed', `The session broke off: ${words}${stderr === '' ? '' : `\n${stderr}`}`, {
    cause: error,
  });
}

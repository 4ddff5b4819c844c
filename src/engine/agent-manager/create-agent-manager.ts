import type { AgentResult } from '../../domain/agent-result.ts';
import type { Command } from '../../domain/command.ts';
import type { RunConclusion, RunEvent } from '../../domain/event.ts';
import { ProviderError } from '../../domain/provider-error.ts';
import type { Journal } from '../journal-port.ts';
import { JournalError } from '../journal-port.ts';
import type { AgentRunHandle, AgentStartParams, KeepResult, Logger, RuntimeAdapter } from '../ports.ts';
import { RunError } from '../ports.ts';
import type { RunUsage } from '../../domain/run.ts';
import type { OutputStream } from './create-output-stream.ts';
import { createOutputStream } from './create-output-stream.ts';

type StartRun = Extract<Command, { type: 'startRun' }>;

export interface AgentManagerDeps {
  readonly runtime: RuntimeAdapter;
  readonly journal: Pick<Journal, 'saveResult'>;
  readonly logger: Logger;
  /** What a single run may cost. */
  readonly perRunUSD: number;
  /** Reports what happened to a run. Resolves when that is durable. */
  readonly report: (body: RunEvent) => Promise<void>;
}

export interface AgentManager {
  /**
   * Starts the agent and reports `runStarted`, or `runFailed` if it could not be started. Rejects with a ProviderError,
   * and reports nothing, if the forge is why and may come back: an outage is not held against an item.
   */
  start(key: string, command: StartRun): Promise<void>;
  /** Ends a run, or keeps it from starting if its start is still on its way; its `runFailed` follows. */
  cancel(sessionID: string, reason: string): void;
  /** A run that was cancelled before it started is over: nobody will start it any more. */
  forget(sessionID: string): void;
  /** From now on no agent is started: whoever asks gets an interrupted run. */
  close(reason: string): void;
  /** Ends all runs without holding it against their items: the next start takes them up again. */
  interruptAll(reason: string): void;
  /** Live output, replayed from what is kept; null if no agent is running under that session. */
  stream(sessionID: string): AsyncIterable<string> | null;
  liveSessions(): string[];
  /** Resolves when no agent is running. */
  idle(): Promise<void>;
}

/** Owns live runs: from the start of the agent to its stored result. What to start is decided elsewhere. */
export function createAgentManager({ runtime, journal, logger, perRunUSD, report }: AgentManagerDeps): AgentManager {
  const live = new Map<string, { readonly output: OutputStream; readonly over: Promise<void> }>();
  /** Why a run is being ended by us. */
  const endings = new Map<string, { readonly kind: 'cancelled' | 'interrupted'; readonly reason: string }>();

  let closedBy: string | null = null;

  async function start(key: string, command: StartRun): Promise<void> {
    const { sessionID, subject } = command;
    const output = createOutputStream();
    const ended = Promise.withResolvers<void>();
    live.set(sessionID, { output, over: ended.promise });
    logger.info({ sessionID, role: subject.role, subject }, 'agent invoked');
    let handle: AgentRunHandle;
    let isKept = false;
    const keep: KeepResult = async (result, usage) => {
      await journal.saveResult(sessionID, { result, usage });
      isKept = true;
    };
    try {
      if (closedBy !== null) end(sessionID, 'interrupted', closedBy);
      if (endings.has(sessionID)) throw new RunError('cancelled', 'ended before it started');
      handle = await runtime.startAgent({ ...startParams(command), budgetUSD: perRunUSD }, keep);
    } catch (error) {
      const isForges = error instanceof ProviderError && error.mayPass && !endings.has(sessionID);
      if (!isForges) await fail(sessionID, error, null, key);
      release(sessionID, output, ended.resolve);
      if (isForges) throw error;
      return;
    }
    const { logFilePath, process = null } = handle;
    await report({ type: 'runStarted', sessionID, logFilePath, process, settles: key });
    void pump(handle, output);
    void follow(sessionID, handle, () => isKept).finally(() => release(sessionID, output, ended.resolve));
  }

  /** The result is on the disk before anything is done with it. */
  async function follow(sessionID: string, handle: AgentRunHandle, isKept: () => boolean): Promise<void> {
    try {
      const result = await handle.result;
      const usage = await handle.usage;
      if (!isKept()) await journal.saveResult(sessionID, { result, usage });
      logger.info({ sessionID, role: result.role }, 'agent completed');
      await report({ type: 'runCompleted', sessionID, conclusion: conclusionOf(result), usage });
    } catch (error) {
      if (error instanceof JournalError) return; // The engine stops for the same reason; a restart takes it up.
      await fail(sessionID, error, await handle.usage, null);
    }
  }

  async function fail(
    sessionID: string,
    error: unknown,
    usage: RunUsage | null,
    settles: string | null,
  ): Promise<void> {
    const isCancelled = error instanceof RunError && error.kind === 'cancelled';
    const ending = isCancelled ? endings.get(sessionID) : undefined;
    logger.error({ sessionID, err: error }, 'agent failed');
    await report({
      type: 'runFailed',
      sessionID,
      reason: ending?.kind ?? (isCancelled ? 'cancelled' : 'failed'),
      error: ending?.reason ?? (error instanceof Error ? error.message : String(error)),
      savedRef: error instanceof RunError ? error.savedRef : null,
      usage,
      settles,
    });
  }

  /** What a person cancelled stays cancelled, also if the engine is shut down before it has ended. */
  function end(sessionID: string, kind: 'cancelled' | 'interrupted', reason: string): void {
    if (endings.get(sessionID)?.kind !== 'cancelled') endings.set(sessionID, { kind, reason });
    if (live.has(sessionID)) runtime.cancelAgent(sessionID);
  }

  function release(sessionID: string, output: OutputStream, resolve: () => void): void {
    output.end();
    live.delete(sessionID);
    endings.delete(sessionID);
    resolve();
  }

  return {
    start,
    cancel: (sessionID, reason) => end(sessionID, 'cancelled', reason),
    forget: (sessionID) => {
      if (!live.has(sessionID)) endings.delete(sessionID);
    },
    close: (reason) => {
      closedBy ??= reason;
    },
    interruptAll: (reason) => {
      for (const sessionID of live.keys()) end(sessionID, 'interrupted', reason);
    },
    stream: (sessionID) => live.get(sessionID)?.output.read() ?? null,
    liveSessions: () => [...live.keys()],
    idle: async () => {
      while (live.size > 0) await Promise.all([...live.values()].map(({ over }) => over));
    },
  };
}

async function pump(handle: AgentRunHandle, output: OutputStream): Promise<void> {
  for await (const chunk of handle.output) output.write(chunk);
}

function startParams({ sessionID, subject, attempt, model }: StartRun): AgentStartParams {
  const common = { sessionID, attempt, ...(model === null ? {} : { modelOverride: model }) };
  switch (subject.role) {
    case 'planner': {
      const { specs, commitSHA } = subject;
      return { ...common, role: 'planner', specPaths: Object.keys(specs), commitSHA, blobSHAs: specs };
    }
    case 'implementor': {
      const { workItemID, branchName, start, repair } = subject;
      return { ...common, role: 'implementor', workItemID, branchName, start, repair };
    }
    case 'reviewer': {
      const { workItemID, revisionID, headRef } = subject;
      return { ...common, role: 'reviewer', workItemID, revisionID, headRef };
    }
  }
}

/** What handlers need to know of a result; the patch stays in the journal. */
export function conclusionOf(result: AgentResult): RunConclusion {
  switch (result.role) {
    case 'planner':
      return { role: 'planner', plan: result };
    case 'implementor':
      return { role: 'implementor', outcome: result.outcome, summary: result.summary };
    case 'reviewer':
      return { role: 'reviewer', review: result.review };
  }
}

import type { AgentResult } from '../../../domain/agent-result.ts';
import type { AgentStartParams, Clock, KeepResult, Logger, RunUsage } from '../../ports.ts';
import { RunError } from '../../ports.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunningAgent, SessionOutcome } from './agent-runtime.ts';
import { assembleResult } from './assemble-result.ts';
import type { OutputBuffer } from './output-buffer.ts';
import type { StopSignal } from './stop-signal.ts';

export interface SupervisedRun {
  readonly params: AgentStartParams;
  readonly workspace: Workspace;
  readonly agent: RunningAgent;
  readonly stop: StopSignal;
  readonly buffer: OutputBuffer;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Forgets the run: from then on it can no longer be cancelled. */
  readonly release: () => void;
  readonly keep: KeepResult;
}

/** Follows a running agent to its end. Both promises settle together, when everything of the run is gone. */
export function superviseRun(run: SupervisedRun): { result: Promise<AgentResult>; usage: Promise<RunUsage> } {
  const settled = supervise(run);
  const result = settled.then(({ outcome }) => {
    if (outcome instanceof RunError) throw outcome;
    return outcome;
  });
  // Whoever started the run may look at the result later; until then a failure is not an unhandled rejection.
  result.catch(() => undefined);
  return { result, usage: settled.then(({ usage }) => usage) };
}

/** Never rejects. */
async function supervise(run: SupervisedRun): Promise<{ outcome: AgentResult | RunError; usage: RunUsage }> {
  const elapsed = (): number => run.clock.elapsed?.() ?? run.clock.now();
  const startedAt = elapsed();
  const ended = await followAgent(run);
  const usage = { ...run.agent.usage(), durationMs: elapsed() - startedAt };
  const outcome = await conclude(run, ended);
  // From here on the outcome is fixed: a late cancellation must not contradict it.
  run.release();
  const savedRef = await closeWorkspace(run, outcome, await isKept(run, outcome, usage));
  await attempt(run, 'agent session could not be closed', async () => run.agent.finish?.(nameOf(outcome)));
  return { outcome: outcome instanceof RunError ? withSavedRef(outcome, savedRef) : outcome, usage };
}

type Ended = { readonly output: unknown } | { readonly error: unknown };

async function followAgent({ agent, buffer, clock, stop }: SupervisedRun): Promise<Ended> {
  let cancelGrace = (): void => undefined;
  const overdue = new Promise<Ended>((resolve) => {
    const whenStopped = (): void => {
      buffer.end();
      const error = new Error(`the agent did not end within ${STOP_GRACE_MS / 1000} s of being stopped`);
      cancelGrace = clock.after(STOP_GRACE_MS, () => resolve({ error }));
    };
    if (stop.signal.aborted) whenStopped();
    else stop.signal.addEventListener('abort', whenStopped, { once: true });
  });
  const completed = agent.completion.then(
    (output: unknown): Ended => ({ output }),
    (error: unknown): Ended => ({ error }),
  );
  const ended = await Promise.race([completed, overdue]);
  stop.stopCounting();
  cancelGrace();
  buffer.end();
  return ended;
}

async function conclude({ params, stop, workspace }: SupervisedRun, ended: Ended): Promise<AgentResult | RunError> {
  try {
    if ('error' in ended) throw ended.error;
    const result = await assembleResult(params.role, ended.output, () => workspace.extract(stop.signal));
    return stop.failure() ?? result;
  } catch (error) {
    return stop.failure() ?? (error instanceof RunError ? error : failedWith(error));
  }
}

/** Finished work is on the disk before its workspace is removed. */
async function isKept(run: SupervisedRun, outcome: AgentResult | RunError, usage: RunUsage): Promise<boolean> {
  if (outcome instanceof RunError) return false;
  const kept = await attempt(run, 'result could not be stored', async () => {
    await run.keep(outcome, usage);
    return true;
  });
  return kept ?? false;
}

async function closeWorkspace(
  run: SupervisedRun,
  outcome: AgentResult | RunError,
  isStored: boolean,
): Promise<string | null> {
  const isFinished = !(outcome instanceof RunError) && (outcome.role !== 'implementor' || outcome.patch !== null);
  const saveWork = !isFinished || !isStored;
  return attempt(run, 'workspace could not be saved and removed', () => run.workspace.close({ saveWork }));
}

/** Ending a run goes on whatever happens: a failing part is logged, and null returned. */
async function attempt<T>(run: SupervisedRun, message: string, part: () => Promise<T>): Promise<T | null> {
  try {
    return await part();
  } catch (error) {
    run.logger.error({ err: error, sessionID: run.params.sessionID, folder: run.workspace.folder }, message);
    return null;
  }
}

const STOP_GRACE_MS = 30_000;

function failedWith(error: unknown): RunError {
  return new RunError('failed', error instanceof Error ? error.message : String(error), { cause: error });
}

function withSavedRef(error: RunError, savedRef: string | null): RunError {
  return savedRef === null ? error : new RunError(error.kind, error.message, { savedRef, cause: error.cause });
}

function nameOf(outcome: AgentResult | RunError): SessionOutcome {
  if (!(outcome instanceof RunError)) return 'completed';
  return outcome.kind === 'cancelled' ? 'cancelled' : 'failed';
}

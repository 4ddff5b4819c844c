import type { Command } from '../../domain/command.ts';
import { ProviderError } from '../../domain/provider-error.ts';
import type { Journal, JournalStep } from '../journal-port.ts';
import { pause } from '../pause.ts';
import type { Clock } from '../ports.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { whyObsolete } from './guards.ts';

/** One external call. `find` looks for its effect; a call without it may be repeated safely. */
export interface ExternalCall<T> {
  readonly run: () => Promise<T>;
  readonly find?: () => Promise<T | null>;
  /** The forge's refusal, whatever its kind, means that nothing was done. */
  readonly isUndoneByRefusal?: true;
}

/** Runs a named step of one command. The outcome must survive JSON. */
export type StepRunner = <T>(name: string, call: ExternalCall<T>) => Promise<T>;

/** Thrown before a step when its command no longer applies. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

export interface StepRunnerDeps {
  readonly journal: Pick<Journal, 'beginStep' | 'endStep' | 'dropStep'>;
  readonly state: () => EngineState;
  readonly clock: Clock;
  /** How long the forge's lists may lag behind a write: absence counts only in a listing sent that much later. */
  readonly listLagMs: number;
  /** Aborted when the executor stops, or the command is cancelled. */
  readonly signal: AbortSignal;
  /** Is told the name of every step that is begun, whatever becomes of it. */
  readonly begun: Set<string>;
}

/**
 * The protocol of an external call:
 *
 *   (nothing) --begin committed--> begun --call answered, end committed--> done
 *
 * `done` is never called again: its recorded outcome is the answer. `begun` without `done` (a crash, a timeout, a
 * 5xx, a dropped connection) is in doubt: look for the effect, and repeat the call only if it is absent and wanted. The same
 * runner serves a live retry and a restart; `known` carries what the journal remembers.
 */
export function createStepRunner(
  key: string,
  command: Command,
  known: readonly JournalStep[],
  deps: StepRunnerDeps,
): StepRunner {
  const steps = new Map(known.map((step) => [step.name, step.outcome]));

  return async <T>(name: string, call: ExternalCall<T>): Promise<T> => {
    const recorded = steps.get(name);
    if (typeof recorded === 'string') {
      const outcome: T = JSON.parse(recorded);
      return outcome;
    }
    if (recorded === undefined) {
      check();
      await deps.journal.beginStep(key, name);
      steps.set(name, null);
      deps.begun.add(name);
    } else if (call.find) {
      const found = await findEffect(call.find, deps);
      if (found !== null) return end(name, found);
      check();
    }
    try {
      return await end(name, await call.run());
    } catch (error) {
      // A clear refusal left nothing behind: the next try is as good as the first.
      const isUndone = call.isUndoneByRefusal ?? false;
      if (error instanceof ProviderError && (isUndone || !error.isInDoubt)) steps.delete(name);
      if (error instanceof ProviderError && isUndone) await deps.journal.dropStep(key, name);
      throw error;
    }
  };

  function check(): void {
    const reason = whyObsolete(deps.state(), command);
    if (reason !== null) throw new Superseded(reason);
  }

  async function end<T>(name: string, outcome: T): Promise<T> {
    const text = JSON.stringify(outcome ?? null);
    await deps.journal.endStep(key, name, text);
    steps.set(name, text);
    return outcome;
  }
}

async function findEffect<T>(
  find: () => Promise<T | null>,
  { clock, listLagMs, signal }: StepRunnerDeps,
): Promise<T | null> {
  const found = await find();
  if (found !== null || listLagMs === 0) return found;
  await pause(clock, listLagMs, signal);
  return find();
}

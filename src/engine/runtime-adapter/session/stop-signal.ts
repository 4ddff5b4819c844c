import type { Clock } from '../../ports.ts';
import { RunError } from '../../ports.ts';

/** Why and when a run has to stop: cancelled by somebody, or out of time. The first reason stays. */
export interface StopSignal {
  /** Its reason is `failure()`. */
  readonly signal: AbortSignal;
  cancel(): void;
  /** Counts the run's time anew, from now. */
  restartCounting(): void;
  stopCounting(): void;
  /** What the run failed with, or null if nothing has stopped it. */
  failure(): RunError | null;
}

export function createStopSignal(clock: Clock, maxSeconds: number): StopSignal {
  const controller = new AbortController();
  let failure: RunError | null = null;

  const stop = (error: RunError): void => {
    if (failure !== null) return;
    failure = error;
    controller.abort(error);
  };
  const count = (): (() => void) =>
    clock.after(maxSeconds * 1000, () => {
      stop(new RunError('timed-out', `the run was stopped after ${maxSeconds} s (maxAgentDuration)`));
    });
  let stopCounting = count();

  return {
    signal: controller.signal,
    cancel: () => stop(new RunError('cancelled', 'the run was cancelled')),
    restartCounting: () => {
      stopCounting();
      stopCounting = count();
    },
    stopCounting: () => stopCounting(),
    failure: () => failure,
  };
}

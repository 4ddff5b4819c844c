import type { RunError } from '../../ports.ts';
import type { AgentProcess } from './agent-process.ts';

interface Stopper {
  /** For the SDK. */
  readonly controller: AbortController;
  /** Ends the session for a reason of its own. */
  stop(reason: RunError): void;
  reason(): RunError | null;
  /** Stops listening to the run's signal. */
  release(): void;
}

/** Ends the child as soon as the run's signal says so: the SDK alone would give it two seconds first. */
export function createStopper(child: AgentProcess, signal: AbortSignal): Stopper {
  const controller = new AbortController();
  let reason: RunError | null = null;
  const end = (): void => {
    controller.abort();
    // The session awaits the same end and reports what goes wrong with it.
    child.end(0).catch(() => undefined);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    controller,
    stop: (why) => {
      reason ??= why;
      end();
    },
    reason: () => reason,
    release: () => signal.removeEventListener('abort', end),
  };
}

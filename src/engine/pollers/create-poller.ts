import { ProviderError } from '../../domain/provider-error.ts';
import type { Clock, Logger } from '../ports.ts';

export interface Poller {
  /** Runs the first cycle and rejects if it fails; after that, cycles follow by themselves and failures are logged. */
  start(): Promise<void>;
  /** Looks now; joins the cycle under way if there is one. Never rejects. */
  refresh(): Promise<void>;
  /** No new cycle begins; resolves when the one under way is over. */
  stop(): Promise<void>;
}

export interface PollerOptions {
  readonly name: string;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** One look at the forge. What it finds, it enqueues. */
  readonly poll: () => Promise<void>;
}

/** Calls `poll` again and again, never twice at a time. One that fails is tried at its next turn. */
export function createPoller({ name, intervalMs, clock, logger, poll }: PollerOptions): Poller {
  let cycle = 0;
  let underWay: Promise<void> | null = null;
  let cancelTimer = () => {};
  let isStopped = false;

  function run(): Promise<void> {
    underWay ??= (async () => {
      logger.debug({ poller: name, cycle: ++cycle }, 'poll cycle started');
      try {
        await poll();
      } finally {
        underWay = null;
      }
    })();
    return underWay;
  }

  function schedule(ms: number): void {
    cancelTimer();
    if (isStopped) return;
    cancelTimer = clock.after(ms, () => void runLogged());
  }

  async function runLogged(): Promise<void> {
    let pauseMs = intervalMs;
    try {
      await run();
    } catch (error) {
      logger.error({ poller: name, err: error }, 'poll failed, trying again at the next turn');
      if (error instanceof ProviderError && error.until !== null) {
        pauseMs = Math.max(intervalMs, error.until - clock.now());
      }
    }
    schedule(pauseMs);
  }

  return {
    start: async () => {
      await run();
      schedule(intervalMs);
    },
    refresh: runLogged,
    stop: async () => {
      isStopped = true;
      cancelTimer();
      await underWay?.catch(() => undefined);
    },
  };
}

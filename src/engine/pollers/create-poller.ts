import { ProviderError } from '../../domain/provider-error.ts';
import { pause } from '../pause.ts';
import type { Clock, Logger, RateLimit } from '../ports.ts';
import { slowDown } from './slow-down.ts';

export interface Poller {
  /**
   * Runs the first cycle, again and again while the forge does not answer, and rejects if trying again would not help
   * (bad credentials, no such repository). After that, cycles follow by themselves.
   */
  start(): Promise<void>;
  /** Looks now; joins the cycle under way if there is one. Never rejects. */
  refresh(): Promise<void>;
  /** No new cycle begins; resolves when the one under way is over. */
  stop(): Promise<void>;
  /** Why the last cycle failed, in words for people; null if it did not. */
  trouble(): string | null;
}

export interface PollerOptions {
  readonly name: string;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What the forge last said about its limits: polling slows down before they are hit. */
  readonly rateLimit: () => RateLimit | null;
  /** One look at the forge. What it finds, it enqueues. */
  readonly poll: () => Promise<void>;
}

/** Credentials, permissions and branches do not mend themselves: they are tried again, but slowly. */
const SLOW_MS = 5 * 60 * 1000;

/** Calls `poll` again and again, never twice at a time. One that fails is tried at its next turn. */
export function createPoller({ name, intervalMs, clock, logger, rateLimit, poll }: PollerOptions): Poller {
  const stopping = new AbortController();
  let cycle = 0;
  let underWay: Promise<void> | null = null;
  let cancelTimer = () => {};
  let trouble: string | null = null;

  function run(): Promise<void> {
    underWay ??= (async () => {
      logger.debug({ poller: name, cycle: ++cycle }, 'poll cycle started');
      try {
        await poll();
        trouble = null;
      } catch (error) {
        note(error);
        throw error;
      } finally {
        underWay = null;
      }
    })();
    return underWay;
  }

  /** The same trouble is said once. */
  function note(error: unknown): void {
    const message = `${name}: ${error instanceof Error ? error.message : String(error)}`;
    if (message !== trouble) logger.error({ poller: name, err: error }, 'poll failed, trying again at its next turn');
    trouble = message;
  }

  function schedule(ms: number): void {
    cancelTimer();
    if (!stopping.signal.aborted) cancelTimer = clock.after(ms, () => void runAndSchedule());
  }

  async function runAndSchedule(): Promise<void> {
    const pauseMs = await run().then(
      () => slowDown(intervalMs, rateLimit(), clock.now()),
      (error: unknown) => pauseAfter(error, intervalMs, clock.now()),
    );
    schedule(pauseMs);
  }

  return {
    start: async () => {
      for (let isDone = false; !isDone;) {
        try {
          await run();
          isDone = true;
        } catch (error) {
          const isTemporary =
            error instanceof ProviderError && ['unavailable', 'away', 'rate-limited'].includes(error.kind);
          if (!isTemporary) throw error;
          await pause(clock, pauseAfter(error, intervalMs, clock.now()), stopping.signal);
        }
      }
      schedule(intervalMs);
    },
    refresh: runAndSchedule,
    stop: async () => {
      stopping.abort();
      cancelTimer();
      await underWay?.catch(() => undefined);
    },
    trouble: () => trouble,
  };
}

function pauseAfter(error: unknown, intervalMs: number, now: number): number {
  if (!(error instanceof ProviderError)) return intervalMs;
  if (error.until !== null) return Math.max(intervalMs, error.until - now);
  return error.isInDoubt ? intervalMs : Math.max(intervalMs, SLOW_MS);
}

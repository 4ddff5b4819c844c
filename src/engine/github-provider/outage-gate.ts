import { ProviderError } from '../../domain/provider-error.ts';
import type { Clock } from '../ports.ts';

/**
 * Keeps everybody from knocking at a forge that is away, or that does not let the app in:
 *
 *   open --half a minute without any answer--> closed --pause over: one request looks--> open, or closed for longer
 *
 * While it is closed, calls are refused and nothing is sent, however many lanes and pollers wait.
 */
export interface OutageGate {
  /** Throws `away` or `unauthorized` if nothing may be sent now. Returns true if this request is the one that looks. */
  enter(): boolean;
  /** The forge answered, whatever it said. */
  answered(): void;
  /** No answer, a server error, or no token for the app. */
  missed(error: ProviderError, isLook: boolean): void;
}

/** So long, and so many requests in a row: one part of a forge that is broken does not make it away. */
const SILENCE = { ms: 30_000, misses: 12 } as const;
const PAUSE = { firstMs: 5_000, longestMs: 60_000 } as const;
/** A look that never comes to an end must not keep the gate closed. */
const LOOK_MS = 120_000;

export function createOutageGate(clock: Clock): OutageGate {
  let silence: { readonly since: number; readonly misses: number } | null = null;
  let closed: { readonly until: number; readonly pauseMs: number; readonly error: ProviderError } | null = null;

  return {
    enter() {
      if (closed === null) return false;
      const { until, error } = closed;
      const wait = until - clock.now();
      // A pause that seems longer than any can be was measured by a clock that has been set back since.
      if (wait > 0 && wait <= LOOK_MS) {
        if (error.kind === 'unauthorized') throw error;
        const message = `The forge is away; it is looked at from time to time. ${error.message}`;
        throw new ProviderError('away', message, { cause: error, until });
      }
      closed = { ...closed, until: clock.now() + LOOK_MS };
      return true;
    },
    answered() {
      silence = null;
      closed = null;
    },
    missed(error, isLook) {
      const now = clock.now();
      silence = { since: silence?.since ?? now, misses: (silence?.misses ?? 0) + 1 };
      const isAway = silence.misses >= SILENCE.misses && now - silence.since >= SILENCE.ms;
      // Requests that were under way when it closed say nothing new.
      if (!isAway || (closed !== null && !isLook)) return;
      const pauseMs = closed === null ? PAUSE.firstMs : Math.min(closed.pauseMs * 2, PAUSE.longestMs);
      closed = { until: now + pauseMs, pauseMs, error };
    },
  };
}

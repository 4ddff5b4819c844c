import type { RateLimit } from '../ports.ts';

/** Below this share of the limit, polls are spread over the time until it is renewed; writes need what is left. */
const SPARING_SHARE = 0.2;
const STOPPING_SHARE = 0.02;
/** The forge's windows are an hour long: a renewal that seems further away was misread, or our clock was set. */
const WINDOW_MS = 3_600_000;

/** How long to wait until the next look, so that polling never uses up the forge's limit. */
export function slowDown(intervalMs: number, rateLimit: RateLimit | null, now: number): number {
  if (rateLimit === null || rateLimit.resetsAt <= now) return intervalMs;
  const share = rateLimit.remaining / rateLimit.limit;
  if (share >= SPARING_SHARE) return intervalMs;
  const untilReset = Math.min(rateLimit.resetsAt - now, WINDOW_MS);
  if (share <= STOPPING_SHARE) return Math.max(intervalMs, untilReset);
  // From the usual pace at the first bound to ten times slower at the second.
  const scarcity = (SPARING_SHARE - share) / (SPARING_SHARE - STOPPING_SHARE);
  return Math.max(intervalMs, Math.min(untilReset, Math.round(intervalMs * (1 + 9 * scarcity))));
}

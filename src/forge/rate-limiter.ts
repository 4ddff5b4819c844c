import type { Caller } from './authentication.ts';

const WINDOW_MS = 3_600_000;

/** Counts requests an hour for each kind of caller, as GitHub's primary limit does. */
export interface RateLimiter {
  isExhausted(caller: Caller): boolean;
  count(caller: Caller): void;
  headers(caller: Caller): Record<string, string>;
}

export function createRateLimiter(limit: number, now: () => number): RateLimiter {
  const windows = new Map<Caller['kind'], { used: number; resetsAt: number }>();
  const windowOf = (caller: Caller) => {
    const known = windows.get(caller.kind);
    if (known !== undefined && known.resetsAt > now()) return known;
    const fresh = { used: 0, resetsAt: now() + WINDOW_MS };
    windows.set(caller.kind, fresh);
    return fresh;
  };
  return {
    isExhausted: (caller) => windowOf(caller).used >= limit,
    count: (caller) => {
      windowOf(caller).used += 1;
    },
    headers: (caller) => {
      const { used, resetsAt } = windowOf(caller);
      return {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(limit - used),
        'x-ratelimit-used': String(used),
        'x-ratelimit-reset': String(Math.ceil(resetsAt / 1000)),
        'x-ratelimit-resource': 'core',
      };
    },
  };
}

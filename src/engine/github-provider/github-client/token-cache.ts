/** No more than this much of a token's life is left unused, so that a request never travels with a dying token. */
const MARGIN_MS = 60_000;
const MARGIN_SHARE = 0.1;
/** The life of GitHub's tokens. */
const HOUR_MS = 3_600_000;

/**
 * Where `@octokit/auth-app` keeps installation tokens. Its own cache goes by the age that GitHub's tokens usually
 * reach; this one by each token's own end, and it can be told that a token was refused.
 */
export interface TokenCache {
  get(key: string): string;
  set(key: string, value: string): void;
  clear(): void;
}

export function createTokenCache(now: () => number): TokenCache {
  const entries = new Map<string, { value: string; renewAt: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      return entry !== undefined && now() < entry.renewAt ? entry.value : '';
    },
    set(key, value) {
      entries.set(key, { value, renewAt: renewalTime(value) });
    },
    clear: () => entries.clear(),
  };
}

/** The value is auth-app's: `token|created at|expires at|...`. */
function renewalTime(value: string): number {
  const [, createdAt = '', expiresAt = ''] = value.split('|');
  const start = Date.parse(createdAt);
  const told = Date.parse(expiresAt) - start;
  if (!Number.isFinite(told)) return 0;
  // The start is by our clock, the end by the forge's: what no token can live says that the clocks differ.
  const life = told > 0 && told <= HOUR_MS ? told : HOUR_MS;
  return start + life - Math.min(MARGIN_MS, life * MARGIN_SHARE);
}

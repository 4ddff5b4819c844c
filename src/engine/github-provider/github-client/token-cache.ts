/** No more than this much of a token's life is left unused, so that a request never travels with a dying token. */
const MARGIN_MS = 60_000;
const MARGIN_SHARE = 0.1;

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
  const end = Date.parse(expiresAt);
  const life = end - Date.parse(createdAt);
  return Number.isFinite(life) ? end - Math.min(MARGIN_MS, life * MARGIN_SHARE) : 0;
}

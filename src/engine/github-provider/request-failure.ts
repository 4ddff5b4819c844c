import { z } from 'zod';
import { ProviderError, type ProviderErrorKind } from '../../domain/provider-error.ts';

/** A failed request as far as the retry rules care. */
export interface RequestFailure {
  /** Null when there was no answer at all. */
  readonly status: number | null;
  /** What was asked for, if it was asked at all. */
  readonly url: string | null;
  /** Whether the app was refused a token. */
  readonly isSignInRefused: boolean;
  readonly isLimit: boolean;
  /** When the forge said we may come back (epoch ms), if it did. */
  readonly retryAt: number | null;
  /** The failure as callers see it, should it be final. */
  readonly error: ProviderError;
}

/** What Octokit throws. Without `response` the request never got an answer, whatever `status` says. */
const OctokitError = z.object({
  status: z.number(),
  message: z.string(),
  request: z.object({ method: z.string(), url: z.string() }).optional(),
  response: z
    .object({ headers: z.record(z.string(), z.union([z.string(), z.number()]).optional()), data: z.unknown() })
    .optional(),
});

/** Reads whatever the client threw; `now` turns waiting times into points in time. */
export function readFailure(thrown: unknown, now: number): RequestFailure {
  const parsed = OctokitError.safeParse(thrown);
  if (!parsed.success) return signingFailure(thrown);
  const { status, message, request, response } = parsed.data;
  const what = request === undefined ? 'A request to the forge' : `${request.method} ${request.url}`;
  if (response === undefined) {
    const error = new ProviderError('unavailable', `${what} got no answer: ${message}`, { cause: thrown });
    return { status: null, url: request?.url ?? null, isSignInRefused: false, isLimit: false, retryAt: null, error };
  }
  const header = (name: string) => response.headers[name]?.toString();
  const isLimit = isLimitAnswer(status, message, header);
  const retryAt = readRetryTime(header, isLimit, now);
  const url = request?.url ?? null;
  const kind = isLimit ? 'rate-limited' : isSignIn(url) ? signInKindOf(status) : kindOf(status);
  const text = `${what} answered ${status}: ${clip(message)}${HINTS[kind]}`;
  const error = new ProviderError(kind, text, {
    cause: thrown,
    ...(isLimit ? { until: retryAt ?? now + DEFAULT_LIMIT_WAIT_MS } : {}),
  });
  const isSignInRefused = isSignIn(url) && kind === 'unauthorized';
  return { status, url, isSignInRefused, isLimit, retryAt, error };
}

function isSignIn(url: string | null): boolean {
  return url?.endsWith('/access_tokens') ?? false;
}

/**
 * An installation that is suspended (403) or removed (404) is a matter of credentials, whatever was asked for: it must
 * not look as if an issue were gone.
 */
function signInKindOf(status: number): ProviderErrorKind {
  return status === 403 || status === 404 ? 'unauthorized' : kindOf(status);
}

/** What GitHub asks for when a limit answer does not say how long to wait. */
const DEFAULT_LIMIT_WAIT_MS = 60_000;
/** The forge's windows are an hour long: whatever else it says, or our clock makes of it, we ask again after that. */
export const MAX_LIMIT_MS = 3_600_000;
/** A reset that lies in the past by our clock is not a reason to ask again at once. */
const MIN_LIMIT_MS = 1_000;

const HINTS: Readonly<Record<ProviderErrorKind, string>> = {
  'not-found': '',
  unauthorized: '. Check app id, installation id and private key, and that the installation is not suspended.',
  forbidden: ". Check the app's permissions on this repository.",
  'rate-limited': '',
  conflict: '',
  rejected: '',
  unavailable: '',
  away: '',
  malformed: '',
};

function kindOf(status: number): ProviderErrorKind {
  if (status >= 500) return 'unavailable';
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
    case 410:
      return 'not-found';
    case 409:
      return 'conflict';
    default:
      return 'rejected';
  }
}

type ReadHeader = (name: string) => string | undefined;

function isLimitAnswer(status: number, message: string, header: ReadHeader): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    header('retry-after') !== undefined ||
    header('x-ratelimit-remaining') === '0' ||
    /rate limit|abuse detection/i.test(message)
  );
}

function readRetryTime(header: ReadHeader, isLimit: boolean, now: number): number | null {
  const retryAfter = header('retry-after');
  if (retryAfter !== undefined) {
    // Seconds, or an HTTP date.
    const at = /^\d+$/.test(retryAfter) ? now + Number(retryAfter) * 1000 : Date.parse(retryAfter);
    if (Number.isFinite(at)) return Math.min(at, now + MAX_LIMIT_MS);
  }
  const reset = header('x-ratelimit-reset');
  const isSpent = isLimit && header('x-ratelimit-remaining') === '0';
  if (!isSpent || reset === undefined || !/^\d+$/.test(reset)) return null;
  return Math.min(Math.max(Number(reset) * 1000, now + MIN_LIMIT_MS), now + MAX_LIMIT_MS);
}

/** Anything that is not a failed request happened before one could be sent: the app's key could not sign. */
function signingFailure(thrown: unknown): RequestFailure {
  const message = `Signing in as the app failed: ${thrown instanceof Error ? thrown.message : String(thrown)}${HINTS.unauthorized}`;
  const error = new ProviderError('unauthorized', message, { cause: thrown });
  return { status: 401, url: null, isSignInRefused: false, isLimit: false, retryAt: null, error };
}

/** An error page can be long; its beginning is enough. */
function clip(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

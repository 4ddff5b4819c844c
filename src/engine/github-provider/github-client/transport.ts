import type { RateLimit } from '../../ports.ts';
import { createETagCache, type CachedAnswer } from './etag-cache.ts';
import { createRequestLimiter } from './request-limiter.ts';
import { slimAnswer } from './slim-answer.ts';

const MAX_CONCURRENT_REQUESTS = 8;
/** Enough for the listings of ten thousand issues. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
/** Names the answer that a response stands for; see `complete`. */
const TICKET_HEADER = 'x-decree-ticket';
/** What Octokit and we read of an answer that the forge did not send again; limits are read from the fresh one. */
const KEPT_HEADERS = ['content-type', 'link'];
const DEFAULT_TIMEOUT_MS = 30_000;
const MIN_UPLOAD_CHARS_PER_MS = 100;

export interface Transport {
  /** In the place of the global fetch. Rejects as that does, and with a TimeoutError. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * To be called with what Octokit made of each response. An answer that did not change is not parsed again, which for
   * long listings takes far longer than to fetch it: here the response gets the data that it had the last time.
   */
  readonly complete: <T extends ParsedResponse>(response: T) => T;
  readonly rateLimit: () => RateLimit | null;
  readonly forgetAnswers: () => void;
}

interface ParsedResponse {
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

/** What is to be done when Octokit has parsed a response: returns the data that callers get. */
type Ticket = (data: unknown) => unknown;

/**
 * What lies between Octokit and the network: at most eight requests at once, a time limit over the whole answer, the
 * rate limit remembered, redirects not followed, and GETs made conditional. GitHub binds ETags to the token, so an answer is of use only as
 * long as its token is; a "not modified" costs no rate limit and is turned back into the answer that we hold.
 */
export function createTransport({ requestTimeoutMs = DEFAULT_TIMEOUT_MS }: { requestTimeoutMs?: number }): Transport {
  const cache = createETagCache(MAX_CACHED_BYTES);
  const limited = createRequestLimiter(MAX_CONCURRENT_REQUESTS);
  const tickets = new Map<string, Ticket>();
  let issued = 0;
  let rateLimit: RateLimit | null = null;

  const issue = (ticket: Ticket): string => {
    const name = String(issued++);
    tickets.set(name, ticket);
    return name;
  };

  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    const isGet = (init.method ?? 'GET') === 'GET';
    const token = headers.get('authorization') ?? '';
    const key = `${headers.get('accept')} ${url}`;
    const cached = isGet ? cache.get(key, token) : undefined;
    if (cached !== undefined) headers.set('if-none-match', cached.etag);

    const response = await fetch(url, {
      ...init,
      headers,
      // Where the forge points elsewhere, that is not ours any more, or a proxy speaks: whoever asked has to know.
      redirect: isRepositoryItself(url) ? 'follow' : 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs + uploadMs(init)),
    });
    // Read here, so that slot and time limit cover the body too.
    const body = await response.text();
    if (isRepositoryCall(url)) rateLimit = newerLimit(rateLimit, readRateLimit(response.headers));
    if (response.status === 304 && cached !== undefined) {
      return restore(
        cached,
        response,
        issue(() => cached.answer.data),
      );
    }
    const rebuilt = rebuild(response, body);
    if (isGet && response.ok) remember(key, token, rebuilt);
    return rebuilt;
  };

  const remember = (key: string, token: string, response: Response) => {
    const etag = response.headers.get('etag');
    if (etag === null) return;
    const headers = KEPT_HEADERS.map((name): [string, string | null] => [name, response.headers.get(name)]);
    const kept = new Map(headers.filter((header): header is [string, string] => header[1] !== null));
    const { status } = response;
    const ticket = issue((data) => {
      const answer = slimAnswer(data);
      cache.set(key, { token, etag, status, headers: kept, answer });
      return answer.data;
    });
    response.headers.set(TICKET_HEADER, ticket);
  };

  return {
    fetch: (url, init) => limited(() => send(url, init)),
    complete: (response) => {
      const name = String(response.headers[TICKET_HEADER] ?? '');
      const ticket = tickets.get(name);
      tickets.delete(name);
      return ticket === undefined ? response : { ...response, data: ticket(response.data) };
    },
    rateLimit: () => rateLimit,
    forgetAnswers: () => cache.clear(),
  };
}

function restore(cached: CachedAnswer, fresh: Response, ticket: string): Response {
  const headers = new Headers([...cached.headers, [TICKET_HEADER, ticket]]);
  for (const [name, value] of fresh.headers)
    if (name === 'link' || name.startsWith('x-ratelimit')) headers.set(name, value);
  return withURL(new Response('null', { status: cached.status, headers }), fresh.url);
}

function rebuild(response: Response, body: string): Response {
  const mayHaveBody = ![204, 205, 304].includes(response.status);
  const { status, statusText, headers } = response;
  return withURL(new Response(mayHaveBody ? body : null, { status, statusText, headers }), response.url);
}

/** A Response made by hand has no URL, and Octokit passes the URL on. */
function withURL(response: Response, url: string): Response {
  Object.defineProperty(response, 'url', { value: url });
  return response;
}

/** Large blobs take their time on slow lines. */
function uploadMs({ body }: RequestInit): number {
  return typeof body === 'string' ? Math.ceil(body.length / MIN_UPLOAD_CHARS_PER_MS) : 0;
}

/** The others are signed with the app's own key and have limits of their own. */
function isRepositoryCall(url: string): boolean {
  return new URL(url).pathname.includes('/repos/');
}

/** Followed to where it is now, so that it can be told under which name. */
function isRepositoryItself(url: string): boolean {
  return /\/repos\/[^/]+\/[^/]+$/.test(new URL(url).pathname);
}

function readRateLimit(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`) ?? '';
    return /^\d+$/.test(value) ? Number(value) : undefined;
  });
  if (limit === undefined || remaining === undefined || reset === undefined) return null;
  return { limit, remaining, resetsAt: reset * 1000 };
}

/** Answers overtake each other: within one window the lowest count is the newest. */
function newerLimit(known: RateLimit | null, read: RateLimit | null): RateLimit | null {
  if (known === null || read === null) return read ?? known;
  if (read.resetsAt !== known.resetsAt) return read.resetsAt > known.resetsAt ? read : known;
  return read.remaining <= known.remaining ? read : known;
}

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { APIError, pageOf } from './api.ts';
import type { APIAnswer } from './api.ts';
import { authenticate } from './authentication.ts';
import type { Caller } from './authentication.ts';
import type { Forge } from './forge.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { callRoute, matchRoute } from './router.ts';
import type { WriteLock } from './write-lock.ts';

interface Parts {
  readonly limiter: RateLimiter;
  readonly lock: WriteLock;
  readonly onError: (error: unknown) => void;
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** Answers one REST request. Never throws: what goes wrong is an answer, too. */
export async function serveAPI(
  forge: Forge,
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const reply = await answer(forge, parts, request, url).catch((error: unknown) => {
    if (!(error instanceof APIError)) parts.onError(error);
    return errorReply(error);
  });
  const date = new Date(forge.now()).toUTCString();
  response.writeHead(reply.status, { date, 'content-type': 'application/json; charset=utf-8', ...reply.headers });
  response.end(reply.text);
}

async function answer(forge: Forge, parts: Parts, request: IncomingMessage, url: URL): Promise<Reply> {
  const method = request.method ?? 'GET';
  const match = matchRoute(method, url.pathname);
  const caller = authenticate(forge, request.headers.authorization);
  if (parts.limiter.isExhausted(caller)) {
    const reply = errorReply(new APIError(403, `API rate limit exceeded for ${caller.login}.`));
    return { ...reply, headers: parts.limiter.headers(caller) };
  }
  const run = async (): Promise<APIAnswer> => {
    const body = parseJSON(await readBody(request));
    const call = () => callRoute(forge, match, { caller, query: url.searchParams, body });
    return method === 'GET' ? call() : parts.lock.run(call);
  };
  const reply = await run()
    .then((result) => successReply(result, method, request.headers['if-none-match'], caller, url))
    .catch((error: unknown) => {
      if (!(error instanceof APIError)) parts.onError(error);
      return errorReply(error);
    });
  // Only a 304 is free.
  if (reply.status !== 304) parts.limiter.count(caller);
  return { ...reply, headers: { ...reply.headers, ...parts.limiter.headers(caller) } };
}

/** An ETag stands for one answer to one token, as on GitHub. */
function successReply(
  { status, body, total }: APIAnswer,
  method: string,
  known: string | undefined,
  caller: Caller,
  url: URL,
): Reply {
  const text = body === undefined ? '' : JSON.stringify(body);
  const link = total === undefined ? '' : linkHeader(url, total);
  const headers = link === '' ? {} : { link };
  if (method !== 'GET') return { status, headers, text };
  const hash = createHash('sha256').update(caller.token).update('\n').update(link).update('\n').update(text);
  const etag = `"${hash.digest('hex')}"`;
  const isKnown = known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true;
  const tagged = { ...headers, etag: `W/${etag}`, 'cache-control': 'private, max-age=60, s-maxage=60' };
  return isKnown ? { status: 304, headers: tagged, text: '' } : { status, headers: tagged, text };
}

function linkHeader(url: URL, total: number): string {
  const { number, size } = pageOf(url.searchParams);
  const last = Math.max(1, Math.ceil(total / size));
  const pages = [
    ...(number > 1 ? [['prev', Math.min(number - 1, last)] as const] : []),
    ...(number < last ? [['next', number + 1] as const, ['last', last] as const] : []),
    ...(number > 1 ? [['first', 1] as const] : []),
  ];
  return pages
    .map(([name, page]) => {
      const target = new URL(url);
      target.searchParams.set('page', String(page));
      return `<${target.href}>; rel="${name}"`;
    })
    .join(', ');
}

function errorReply(error: unknown): Reply {
  const known = error instanceof APIError ? error : new APIError(500, 'Server Error');
  const { status, message, errors } = known;
  const body = { message, errors, documentation_url: 'https://docs.github.com/rest', status: String(status) };
  return { status, headers: {}, text: JSON.stringify(body) };
}

/** Enough for a blob of 100 MB in base64. */
const MAX_BODY_BYTES = 140 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(new APIError(413, 'Payload Too Large'));
    });
    request.once('end', resolve);
    request.once('error', () => reject(new APIError(400, 'The request was cut off')));
  });
  return Buffer.concat(chunks);
}

function parseJSON(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new APIError(400, 'Problems parsing JSON');
    throw error;
  }
}

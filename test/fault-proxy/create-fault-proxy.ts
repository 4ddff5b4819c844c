import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Fault, ProxiedAnswer, ProxiedRequest } from './fault.ts';
import { isGitRequest } from './fault.ts';
import { createLaggingLists } from './lagging-lists.ts';

interface RecordedRequest extends ProxiedRequest {
  /** Null if the connection was dropped. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface FaultProxy {
  readonly url: string;
  /** All requests that have been dealt with, in the order of their ends. */
  readonly requests: readonly RecordedRequest[];
  /** The most requests that were ever under way at once. */
  maxConcurrent(): number;
  /** Each matching request meets this fault, `times` times. Of several faults that match, the oldest comes first. */
  inject(matches: RequestPattern, fault: Fault, times?: number): void;
  /** Asks, for each request that no injected fault matches, what shall go wrong with it; null for nothing. */
  disturb(choose: (request: ProxiedRequest) => Fault | null): void;
  /** Ends all faults and forgets what was recorded. */
  reset(): void;
  close(): Promise<void>;
}

/** `GET /repos/*`-like text: method, then a piece of the path; or a function. */
type RequestPattern = string | ((request: ProxiedRequest) => boolean);

/** An HTTP proxy between a client and the forge that can make every mistake networks and servers make. */
export async function createFaultProxy(targetURL: string): Promise<FaultProxy> {
  const faults: { matches: (request: ProxiedRequest) => boolean; fault: Fault; times: number }[] = [];
  const firstAnswers = new Map<string, ProxiedAnswer>();
  const lists = createLaggingLists();
  let chooseFault: (request: ProxiedRequest) => Fault | null = () => null;
  let requests: RecordedRequest[] = [];
  let running = 0;
  let most = 0;

  const takeFault = (request: ProxiedRequest): Fault | null => {
    const found = faults.find(({ matches, times }) => times > 0 && matches(request));
    if (found === undefined) return chooseFault(request);
    found.times -= 1;
    return found.fault;
  };

  const forward = async (request: ProxiedRequest, headers: Headers): Promise<ProxiedAnswer> => {
    const response = await fetch(targetURL + request.path, {
      method: request.method,
      headers,
      ...(request.body === '' ? {} : { body: bytesOf(request, request.body) }),
    });
    const body = Buffer.from(await response.arrayBuffer()).toString(encodingOf(request));
    const good = { status: response.status, headers: plainHeaders(response.headers), body };
    const key = `${request.method} ${request.path}`;
    if (response.ok && !firstAnswers.has(key)) firstAnswers.set(key, good);
    lists.note(request, good);
    return good;
  };

  /** Null: hang up. */
  const meet = async (request: ProxiedRequest, headers: Headers): Promise<ProxiedAnswer | null> => {
    const fault = takeFault(request);
    switch (fault?.kind) {
      case undefined:
        return forward(request, headers);
      case 'answer':
        return fault;
      case 'answer-after-applying':
        await forward(request, headers);
        return fault;
      case 'drop':
        return null;
      case 'drop-after-applying':
        await forward(request, headers);
        return null;
      case 'hold':
        await fault.until;
        return forward(request, headers);
      case 'stale':
        return firstAnswers.get(`${request.method} ${request.path}`) ?? forward(request, headers);
      case 'lagging': {
        headers.delete('if-none-match');
        return lists.before(request, await forward(request, headers), fault.lagMs);
      }
      case 'rewrite': {
        headers.delete('if-none-match');
        return fault.rewrite(await forward(request, headers));
      }
    }
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    running += 1;
    most = Math.max(most, running);
    const body = await readBytes(incoming);
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      // Each byte of a pack is one character; everything else is JSON.
      body: body.toString(encodingOf({ path: incoming.url ?? '' })),
    };
    const reply = await meet(request, forwardedHeaders(incoming)).finally(() => (running -= 1));
    requests.push({ ...request, status: reply?.status ?? null, headers: reply?.headers ?? {} });
    if (reply === null) {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8', ...reply.headers });
    outgoing.end(reply.status === 304 || reply.status === 204 ? undefined : bytesOf(request, reply.body));
  };

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());

  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    maxConcurrent: () => most,
    inject(pattern, fault, times = Infinity) {
      faults.push({ matches: toPredicate(pattern), fault, times });
    },
    disturb(choose) {
      chooseFault = choose;
    },
    reset() {
      faults.length = 0;
      chooseFault = () => null;
      requests = [];
      most = running;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toPredicate(pattern: RequestPattern): (request: ProxiedRequest) => boolean {
  if (typeof pattern === 'function') return pattern;
  const [method = '', piece = ''] = pattern.split(' ');
  return (request) => request.method === method && request.path.includes(piece);
}

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(z.instanceof(Uint8Array).parse(chunk));
  return Buffer.concat(chunks);
}

function encodingOf({ path }: Pick<ProxiedRequest, 'path'>): 'latin1' | 'utf8' {
  return isGitRequest(path) ? 'latin1' : 'utf8';
}

function bytesOf(request: ProxiedRequest, body: string): Buffer<ArrayBuffer> {
  return Buffer.from(body, encodingOf(request));
}

const HOP_BY_HOP = new Set(['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

function forwardedHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === 'string' && !HOP_BY_HOP.has(name)) headers.set(name, value);
  }
  return headers;
}

/** The body was decoded on the way, so what describes its coding is dropped. */
function plainHeaders(headers: Headers): Record<string, string> {
  const skipped = new Set([...HOP_BY_HOP, 'content-encoding']);
  return Object.fromEntries([...headers].filter(([name]) => !skipped.has(name)));
}

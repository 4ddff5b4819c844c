import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { messageEvents } from './message-events.ts';
import { turnAt, type Script } from './turn.ts';

const MessagesRequest = z.looseObject({
  model: z.string(),
  system: z.unknown(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});

interface RecordedRequest {
  readonly sessionID: string | null;
  readonly body: z.infer<typeof MessagesRequest>;
  /** The body as it was sent, to search for what must not be in it. */
  readonly raw: string;
}

/** An Anthropic Messages server on the loopback interface that plays scripts instead of thinking. */
export interface ScriptedModel extends AsyncDisposable {
  /** Sets what the model does in each session of a scenario and returns the base URL that leads to it. */
  play(scenario: string, script: Script): string;
  /** What was asked in a scenario so far. */
  requests(scenario: string): readonly RecordedRequest[];
  /** Resolves as soon as `count` requests came in. */
  reached(scenario: string, count: number): Promise<void>;
  /** Requests outside `POST /v1/messages` of a known scenario: there should be none. */
  readonly strays: readonly string[];
}

interface Scenario {
  readonly script: Script;
  readonly requests: RecordedRequest[];
  readonly waiting: { readonly count: number; readonly resolve: () => void }[];
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  const scenarios = new Map<string, Scenario>();
  const strays: string[] = [];

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const scenario = scenarios.get(pathname.split('/')[1] ?? '');
    if (scenario === undefined || request.method !== 'POST' || !pathname.endsWith('/v1/messages')) {
      strays.push(`${request.method ?? ''} ${pathname}`);
      response.writeHead(404).end();
      return;
    }
    const raw = await readText(request);
    const body = MessagesRequest.parse(JSON.parse(raw));
    const header = request.headers['x-claude-code-session-id'];
    const sessionID = typeof header === 'string' ? header : null;
    const index = scenario.requests.filter((earlier) => earlier.sessionID === sessionID).length;
    scenario.requests.push({ body, raw, sessionID });
    for (const { count, resolve } of scenario.waiting) if (scenario.requests.length >= count) resolve();

    const turn = turnAt(scenario.script, index, raw);
    switch (turn.type) {
      case 'hang':
        return;
      case 'error':
        response.writeHead(turn.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ type: 'error', error: { type: turn.kind, message: turn.message } }));
        return;
      case 'message':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(messageEvents(turn, `msg_${String(index)}`, body.model));
        return;
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The scripted model got no TCP port.');
  const origin = `http://127.0.0.1:${String(address.port)}`;

  function scenarioNamed(name: string): Scenario {
    const scenario = scenarios.get(name);
    if (scenario === undefined) throw new Error(`The scripted model knows no scenario "${name}"; play() it first.`);
    return scenario;
  }

  return {
    strays,
    play(name, script) {
      scenarios.set(name, { script, requests: [], waiting: [] });
      return `${origin}/${name}`;
    },
    requests: (name) => scenarioNamed(name).requests,
    async reached(name, count) {
      const scenario = scenarioNamed(name);
      if (scenario.requests.length >= count) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      scenario.waiting.push({ count, resolve });
      await promise;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

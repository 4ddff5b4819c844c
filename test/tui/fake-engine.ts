import type { Engine, EngineCommand, EngineEvent, EngineSnapshot } from '../../src/engine/engine-types.ts';
import type { CIStatusResult, PRFileEntry, PRReviewsResult } from '../../src/engine/query-port.ts';

/** An engine that does what a test says, and remembers what it was asked. */
export interface FakeEngine extends Engine {
  readonly sent: EngineCommand[];
  readonly calls: { start: number; stop: number; refresh: number };
  /** Changes the snapshot and tells subscribers. */
  show(change: Partial<EngineSnapshot>): void;
  emit(event: EngineEvent): void;
  /** Gives a session a stream and writes to it. */
  write(sessionID: string, chunk: string): void;
  readonly bodies: Map<number, string>;
  readonly files: Map<number, PRFileEntry[]>;
  readonly reviews: Map<number, PRReviewsResult>;
  readonly ci: Map<number, CIStatusResult>;
  /** What `start`, `stop` and `refresh` wait for. */
  started: Promise<void>;
  stopped: Promise<void>;
  refreshed: Promise<void>;
}

export const EMPTY_SNAPSHOT: EngineSnapshot = {
  workItems: [],
  revisions: [],
  runs: [],
  lastRuns: [],
  retries: [],
  dispatch: 'manual',
  spend: { settledUSD: 0, reservedUSD: 0, perDayUSD: 50 },
  rateLimit: null,
  notices: [],
};

export function createFakeEngine(initial: Partial<EngineSnapshot> = {}): FakeEngine {
  let snapshot: EngineSnapshot = { ...EMPTY_SNAPSHOT, ...initial };
  const handlers = new Set<(event: EngineEvent) => void>();
  const listeners = new Set<() => void>();
  const streams = new Map<string, FakeStream>();
  const fake: FakeEngine = {
    sent: [],
    calls: { start: 0, stop: 0, refresh: 0 },
    bodies: new Map(),
    files: new Map(),
    reviews: new Map(),
    ci: new Map(),
    started: Promise.resolve(),
    ended: new Promise(() => {}),
    stopped: Promise.resolve(),
    refreshed: Promise.resolve(),
    show: (change) => {
      snapshot = { ...snapshot, ...change };
      for (const listener of listeners) listener();
    },
    emit: (event) => {
      for (const handler of handlers) handler(event);
    },
    write: (sessionID, chunk) => {
      const stream = streams.get(sessionID) ?? createFakeStream();
      streams.set(sessionID, stream);
      stream.write(chunk);
    },
    start: async () => {
      fake.calls.start++;
      await fake.started;
      return { issueCount: snapshot.workItems.length, recoveriesPerformed: 0 };
    },
    stop: async () => {
      fake.calls.stop++;
      await fake.stopped;
    },
    refresh: async () => {
      fake.calls.refresh++;
      await fake.refreshed;
    },
    on: (handler) => added(handlers, handler),
    subscribe: (listener) => added(listeners, listener),
    send: (command) => fake.sent.push(command),
    getSnapshot: () => snapshot,
    getAgentStream: (sessionID) => streams.get(sessionID)?.read() ?? null,
    getIssueDetails: async (number) => {
      const title = snapshot.workItems.find(({ id }) => id === String(number))?.title ?? '';
      return { number, title, body: fake.bodies.get(number) ?? '', labels: [], createdAt: '2026-01-01T00:00:00Z' };
    },
    getPRForIssue: async () => null,
    getPRFiles: async (number) => fake.files.get(number) ?? [],
    getPRReviews: async (number) => fake.reviews.get(number) ?? { reviews: [], comments: [] },
    getCIStatus: async (number) => fake.ci.get(number) ?? { overall: 'success', failedCheckRuns: [] },
  };
  return fake;
}

interface FakeStream {
  write(chunk: string): void;
  read(): AsyncIterable<string>;
}

function createFakeStream(): FakeStream {
  const chunks: string[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    write: (chunk) => {
      chunks.push(chunk);
      wake.resolve();
      wake = Promise.withResolvers<void>();
    },
    async *read() {
      for (let position = 0; ; position++) {
        while (position >= chunks.length) await wake.promise;
        yield chunks[position] ?? '';
      }
    },
  };
}

function added<T>(set: Set<T>, member: T): () => void {
  set.add(member);
  return () => set.delete(member);
}

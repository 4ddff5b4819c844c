import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type {
  AgentRunHandle,
  AgentStartParams,
  ImplementorStartParams,
  PlannerStartParams,
  ReviewerStartParams,
  RuntimeAdapter,
  RuntimeAdapterConfig,
  RuntimeAdapterDeps,
} from '../../src/engine/runtime-adapter/types.ts';
import { RunError } from '../../src/engine/ports.ts';
import type { AgentStep, RuntimeAdapterHarness } from './runtime-adapter-contract.ts';
import type { RuntimeAdapterFixture } from './runtime-adapter-fixture.ts';
import { createRuntimeAdapterFixture, makeTemplate, SPEC_BLOB, SPEC_PATH } from './runtime-adapter-fixture.ts';
import { implementorParams } from '../world/implementor-params.ts';

/** One fixture and one harness for each test, and the few ways in which the tests use them. */
export interface Bench {
  readonly fixture: RuntimeAdapterFixture;
  readonly adapter: (steps: readonly AgentStep[], options?: BenchOptions) => Promise<RuntimeAdapter>;
  readonly start: (
    params: AgentStartParams,
    steps: readonly AgentStep[],
    options?: BenchOptions,
  ) => Promise<AgentRunHandle>;
  readonly implementor: (fields?: Partial<ImplementorStartParams>) => ImplementorStartParams;
  readonly planner: (fields?: Partial<PlannerStartParams>) => PlannerStartParams;
  readonly reviewer: (fields?: Partial<ReviewerStartParams>) => ReviewerStartParams;
}

interface BenchOptions {
  readonly config?: Partial<RuntimeAdapterConfig>;
  readonly deps?: Partial<RuntimeAdapterDeps>;
}

/** Call at the top of a `describe`. */
export function useBench(createHarness: () => RuntimeAdapterHarness): () => Bench {
  let template: string;
  let current: { bench: Bench; harness: RuntimeAdapterHarness } | null = null;
  beforeAll(async () => {
    template = await makeTemplate();
  });
  afterAll(() => rm(template, { recursive: true, force: true }));
  beforeEach(async () => {
    const harness = createHarness();
    current = { harness, bench: makeBench(await createRuntimeAdapterFixture(template), harness) };
  });
  afterEach(async () => {
    await current?.harness.close();
    await current?.bench.fixture.close();
    current = null;
  });
  return () => {
    if (current === null) throw new Error('useBench() works inside tests only');
    return current.bench;
  };
}

function makeBench(fixture: RuntimeAdapterFixture, harness: RuntimeAdapterHarness): Bench {
  const adapter: Bench['adapter'] = (steps, { config, deps } = {}) =>
    harness.createAdapter({ ...fixture.config, ...config }, { ...fixture.deps, ...deps }, steps);
  const common = (): { sessionID: string; attempt: number } => ({ sessionID: crypto.randomUUID(), attempt: 1 });
  return {
    fixture,
    adapter,
    start: async (params, steps, options) => (await adapter(steps, options)).startAgent(params),
    implementor: (fields) => implementorParams({ branchName: 'issue-7-1', ...fields }),
    planner: (fields) => ({
      ...common(),
      role: 'planner',
      specPaths: [SPEC_PATH],
      commitSHA: fixture.mainSHA,
      blobSHAs: { [SPEC_PATH]: SPEC_BLOB },
      ...fields,
    }),
    reviewer: (fields) => ({
      ...common(),
      role: 'reviewer',
      workItemID: '8',
      revisionID: '9',
      headRef: 'feature/login',
      ...fields,
    }),
  };
}

export const COMPLETED = {
  do: 'return',
  output: { role: 'implementor', outcome: 'completed', summary: 'Done.' },
} as const satisfies AgentStep;

export const PLANNED = {
  do: 'return',
  output: {
    role: 'planner',
    create: [{ tempID: 'a', title: 'Login', body: 'Add it.', labels: [], blockedBy: [] }],
    close: [],
    update: [{ workItemID: '7', body: null, labels: ['priority:high'] }],
  },
} as const satisfies AgentStep;

export const APPROVED = {
  do: 'return',
  output: {
    role: 'reviewer',
    review: { verdict: 'approve', summary: 'Good.', comments: [{ path: 'login.txt', line: 1, body: 'Nice.' }] },
  },
} as const satisfies AgentStep;

/** What a promise rejected with; fails the test if it is not a RunError. */
export async function runError(promise: Promise<unknown>): Promise<RunError> {
  const error = await promise.then(
    () => new Error('it did not reject'),
    (reason: unknown) => reason,
  );
  if (error instanceof RunError) return error;
  expect(error).toBeInstanceOf(RunError);
  throw error;
}

/** Reads an output to its end. */
export async function readAll(output: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of output) text += chunk;
  return text;
}

/** Reads an output until some text has come; then the agent has got as far as that. */
export async function readUntil(output: AsyncIterable<string>, text: string): Promise<AsyncIterator<string>> {
  const iterator = output[Symbol.asyncIterator]();
  for (let seen = ''; !seen.includes(text);) {
    const { done, value } = await iterator.next();
    if (done === true) throw new Error(`the output ended before "${text}" came: ${seen}`);
    seen += value;
  }
  return iterator;
}

import type { AgentResult } from '../../src/domain/agent-result.ts';
import type { RunUsage } from '../../src/domain/run.ts';
import { createOutputStream } from '../../src/engine/agent-manager/create-output-stream.ts';
import type { AgentStartParams, RuntimeAdapter } from '../../src/engine/ports.ts';
import { RunError } from '../../src/engine/ports.ts';

/** A run that a test holds in its hands. */
export interface FakeRun {
  readonly params: AgentStartParams;
  complete(result: AgentResult, usage?: RunUsage): void;
  fail(message: string): void;
  print(text: string): void;
}

export interface FakeRuntime {
  readonly adapter: RuntimeAdapter;
  /** Every run that was ever started, in order. */
  readonly started: FakeRun[];
  /** Sessions of earlier processes that were ended. */
  readonly takenOver: string[];
  /** Runs that have not ended. */
  live(): FakeRun[];
  /** Called at each start; throw to refuse it. */
  onStart: (params: AgentStartParams) => void;
}

const FREE: RunUsage = {
  model: null,
  turns: null,
  inputTokens: null,
  outputTokens: null,
  costUSD: 0,
  durationMs: 0,
};

export function createFakeRuntime(): FakeRuntime {
  const started: FakeRun[] = [];
  const takenOver: string[] = [];
  const live = new Map<string, { readonly run: FakeRun; readonly reject: (error: RunError) => void }>();

  const runtime: FakeRuntime = {
    started,
    takenOver,
    live: () => [...live.values()].map(({ run }) => run),
    onStart: () => {},
    adapter: {
      startAgent: async (params) => {
        runtime.onStart(params);
        const result = Promise.withResolvers<AgentResult>();
        const usage = Promise.withResolvers<RunUsage>();
        result.promise.catch(() => undefined); // somebody else's business if the engine is already gone
        const output = createOutputStream();
        const end = (settle: () => void) => {
          live.delete(params.sessionID);
          settle();
          output.end();
          usage.resolve(FREE);
        };
        const run: FakeRun = {
          params,
          complete: (value, used = FREE) =>
            end(() => {
              usage.resolve(used);
              result.resolve(value);
            }),
          fail: (message) =>
            end(() => result.reject(new RunError('failed', message, { savedRef: 'refs/decree/runs/x' }))),
          print: (text) => output.write(text),
        };
        started.push(run);
        live.set(params.sessionID, { run, reject: (error) => end(() => result.reject(error)) });
        return {
          output: output.read(),
          result: result.promise,
          logFilePath: null,
          usage: usage.promise,
        };
      },
      takeOver: async (sessionID) => {
        takenOver.push(sessionID);
        return `refs/decree/runs/${sessionID}`;
      },
      cancelAgent: (sessionID) => live.get(sessionID)?.reject(new RunError('cancelled', 'cancelled')),
    },
  };
  return runtime;
}

export function implemented(patch = 'a patch'): AgentResult {
  return { role: 'implementor', outcome: 'completed', summary: 'done', patch, baseSHA: 'base', treeSHA: 'tree' };
}

export function reviewed(verdict: 'approve' | 'needs-changes'): AgentResult {
  return { role: 'reviewer', review: { verdict, summary: `I say ${verdict}`, comments: [] } };
}

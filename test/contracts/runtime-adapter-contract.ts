import { describe } from 'vitest';
import type {
  RuntimeAdapter,
  RuntimeAdapterConfig,
  RuntimeAdapterDeps,
} from '../../src/engine/runtime-adapter/types.ts';
import type { Step } from '../../src/engine/runtime-adapter/scripted/scenario.ts';
import { lifecycleContract } from './runtime-adapter-lifecycle.contract.test.ts';
import { resultContract } from './runtime-adapter-results.contract.test.ts';
import { workspaceContract } from './runtime-adapter-workspaces.contract.test.ts';

/** What an agent under test does. Every adapter's harness can make its agents do these. */
export type AgentStep = Extract<Step, { do: 'print' | 'write' | 'run' | 'fail' | 'hang' | 'return' }>;

/** How the suite gets adapters of one kind. */
export interface RuntimeAdapterHarness {
  /** An adapter whose agents all follow these steps, each in its own run. May prepare files in `config.repoRoot`. */
  createAdapter(
    config: RuntimeAdapterConfig,
    deps: RuntimeAdapterDeps,
    steps: readonly AgentStep[],
  ): Promise<RuntimeAdapter>;
  /** How many runs at once its tests ask for; 20 unless told. */
  readonly runsAtOnce?: number;
  /** Called after each test. */
  close(): Promise<void>;
}

type ContractPart = 'lifecycle' | 'workspaces' | 'results';

interface ContractOptions {
  /** Fewer where an agent is a big process. */
  readonly runsAtOnce?: number;
  /** Where agents are slow, each part stands in a test file of its own, so that they run side by side. */
  readonly parts?: readonly ContractPart[];
}

/** What every runtime adapter has to do, whatever runs its agents. */
export function runtimeAdapterContract(
  name: string,
  createHarness: () => RuntimeAdapterHarness,
  { runsAtOnce = 20, parts = ['lifecycle', 'workspaces', 'results'] }: ContractOptions = {},
): void {
  describe(`${name} as a runtime adapter`, () => {
    if (parts.includes('lifecycle')) lifecycleContract(createHarness);
    if (parts.includes('workspaces')) workspaceContract(createHarness);
    if (parts.includes('results')) resultContract(createHarness, runsAtOnce);
  });
}

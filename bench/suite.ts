import { dispatch } from './dispatch.ts';
import type { Benchmark, Scale } from './harness/benchmark.ts';
import { createBuild } from './harness/build-decree.ts';
import type { Outcome } from './harness/report.ts';
import { journal } from './journal.ts';
import { loop } from './loop.ts';
import { memory } from './memory.ts';
import { patch } from './patch.ts';
import { polling } from './polling.ts';
import { publish } from './publish.ts';
import { restart } from './restart.ts';
import { start } from './start.ts';
import { tui } from './tui.ts';

export const BENCHMARKS: readonly Benchmark[] = [
  loop,
  polling,
  dispatch,
  publish,
  patch,
  journal,
  restart,
  memory,
  tui,
  start,
];

/** Runs benchmarks one after the other. One that cannot be measured does not hold up the others. */
export async function runSuite(
  benchmarks: readonly Benchmark[],
  scale: Scale,
  onOutcome: (outcome: Outcome) => void = () => {},
): Promise<Outcome[]> {
  await using build = createBuild();
  const outcomes: Outcome[] = [];
  for (const { name, asks, run } of benchmarks) {
    const begin = performance.now();
    const result = await run({ scale, built: build.folder }).then(
      (findings) => ({ findings, error: null }),
      (error: unknown) => ({ findings: [], error: describe(error) }),
    );
    const outcome = { name, asks, seconds: (performance.now() - begin) / 1000, ...result };
    onOutcome(outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** What went wrong first comes first: tidying up after a failure may fail as well. */
function describe(error: unknown): string {
  if (error instanceof SuppressedError) return `${describe(error.suppressed)} (and then: ${describe(error.error)})`;
  return error instanceof Error ? error.message : String(error);
}

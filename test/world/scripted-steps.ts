import type { Step } from '../../src/engine/runtime-adapter/scripted/scenario.ts';

interface PlannedItem {
  readonly tempID: string;
  readonly title: string;
  readonly blockedBy?: readonly string[];
}

/** A planner that creates these items. */
export function planSteps(items: readonly PlannedItem[]): Step[] {
  const create = items.map(({ blockedBy = [], ...item }) => ({
    ...item,
    body: 'Write a file.',
    labels: [],
    blockedBy,
  }));
  return [{ do: 'return', output: { role: 'planner', create, close: [], update: [] } }];
}

/** An implementor that writes one file. */
export function writeSteps(path: string, content: string): Step[] {
  return [
    { do: 'write', path, content },
    { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: path } },
  ];
}

/** A reviewer with this verdict. */
export function reviewSteps(verdict: 'approve' | 'needs-changes'): Step[] {
  return [{ do: 'return', output: { role: 'reviewer', review: { verdict, summary: 'Read.', comments: [] } } }];
}

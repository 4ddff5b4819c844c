import {
  COMPLEXITIES,
  PRIORITIES,
  WORK_ITEM_STATUSES,
  type Complexity,
  type Priority,
  type WorkItemStatus,
} from '../../../domain/work-item.ts';
import type { Label } from '../github-client/answers.ts';

export const TASK_LABEL = 'task:implement';

const RESERVED_PREFIXES = ['task:', 'status:'] as const;

export interface ParsedLabels {
  readonly status: WorkItemStatus;
  readonly priority: Priority | null;
  readonly complexity: Complexity | null;
  readonly isTask: boolean;
}

export function parseLabels(labels: readonly Label[]): ParsedLabels {
  const names = labelNames(labels);
  return {
    status: pick(names, 'status:', WORK_ITEM_STATUSES) ?? 'pending',
    priority: pick(names, 'priority:', PRIORITIES),
    complexity: pick(names, 'complexity:', COMPLEXITIES),
    isTask: names.some((name) => name.toLowerCase() === TASK_LABEL),
  };
}

export function labelNames(labels: readonly Label[]): string[] {
  return labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? [])));
}

/** Labels that only status transitions and the classification of tasks may change. */
export function isReserved(name: string): boolean {
  return RESERVED_PREFIXES.some((prefix) => name.toLowerCase().startsWith(prefix));
}

/** GitHub's labels keep their case but are the same label in any: `Status:Ready` is `status:ready`. */
export function isStatusLabel(name: string): boolean {
  return name.toLowerCase().startsWith('status:');
}

/** Without the second of two names that differ only in case: GitHub would take them for one label. */
export function uniqueLabels(names: readonly string[]): string[] {
  return [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed();
}

/** The alphabetically first of the known values under this prefix. */
function pick<T extends string>(names: readonly string[], prefix: string, known: readonly T[]): T | null {
  const values = new Set(names.map((name) => name.toLowerCase()));
  return known.filter((value) => values.has(prefix + value)).sort()[0] ?? null;
}

import type { EngineEvent } from '../engine/engine-types.ts';

export interface DemoItem {
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly prNumber: number | null;
  readonly implementorRuns: number;
  readonly reviews: number;
  /** From the start of the first agent to the end, or to now. */
  readonly durationMs: number;
}

/** What became of each work item, gathered from the engine's events. */
export interface DemoRecord {
  add(event: EngineEvent): void;
  get(number: number): DemoItem | undefined;
  /** By number. */
  items(): DemoItem[];
}

export function createDemoRecord(now: () => number): DemoRecord {
  const items = new Map<number, Omit<DemoItem, 'durationMs'>>();
  const begun = new Map<number, number>();
  const ended = new Map<number, number>();

  function change(number: number, details: Partial<DemoItem>): void {
    const fresh = { number, title: '', status: '', prNumber: null, implementorRuns: 0, reviews: 0 };
    items.set(number, { ...fresh, ...items.get(number), ...details });
  }

  function countRun(number: number, role: string): void {
    const { implementorRuns = 0, reviews = 0 } = items.get(number) ?? {};
    if (role === 'implementor') change(number, { implementorRuns: implementorRuns + 1 });
    if (role === 'reviewer') change(number, { reviews: reviews + 1 });
    if (!begun.has(number)) begun.set(number, now());
  }

  function withDuration(item: Omit<DemoItem, 'durationMs'>): DemoItem {
    const from = begun.get(item.number);
    return { ...item, durationMs: from === undefined ? 0 : (ended.get(item.number) ?? now()) - from };
  }

  return {
    add: (event) => {
      if (event.type === 'prLinked') change(event.issueNumber, { prNumber: event.prNumber });
      if (event.type === 'agentStarted' && event.issueNumber !== undefined)
        countRun(event.issueNumber, event.agentType);
      if (event.type !== 'issueStatusChanged') return;
      change(event.issueNumber, { title: event.title, status: event.newStatus ?? 'closed' });
      if (event.newStatus === null || event.newStatus === 'closed') ended.set(event.issueNumber, now());
    },
    get: (number) => {
      const item = items.get(number);
      return item === undefined ? undefined : withDuration(item);
    },
    items: () => [...items.values()].sort((a, b) => a.number - b.number).map(withDuration),
  };
}

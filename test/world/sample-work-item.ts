import type { WorkItem } from '../../src/domain/work-item.ts';

/** An open work item with nothing special about it. */
export function sampleWorkItem(fields: Partial<WorkItem> = {}): WorkItem {
  return {
    id: '7',
    title: 'Add login',
    status: 'ready',
    priority: null,
    complexity: null,
    blockedBy: [],
    createdAt: '2026-01-01T00:00:00Z',
    linkedRevision: null,
    closedAs: null,
    isTracked: true,
    contentDigest: '',
    ...fields,
  };
}

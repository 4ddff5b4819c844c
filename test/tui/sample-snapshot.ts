import type { Revision } from '../../src/domain/revision.ts';
import type { Run, RunSubject } from '../../src/domain/run.ts';
import type { WorkItem } from '../../src/domain/work-item.ts';
import type { EngineSnapshot } from '../../src/engine/engine-types.ts';
import type { ItemFacts } from '../../src/tui/view-model/item-facts.ts';
import { sampleRun } from '../world/sample-run.ts';

/** A moment that never moves: what is old stays as old. */
export const NOW = Date.parse('2026-03-04T12:00:00Z');

const MINUTE = 60_000;

export function item(id: number, title: string, fields: Partial<WorkItem> = {}): WorkItem {
  return {
    id: String(id),
    title,
    status: 'ready',
    priority: 'medium',
    complexity: 'low',
    blockedBy: [],
    createdAt: new Date(NOW - 3 * 24 * 60 * MINUTE).toISOString(),
    linkedRevision: null,
    closedAs: null,
    isTracked: true,
    contentDigest: 'digest',
    ...fields,
  };
}

export function revision(id: number, workItemID: number, fields: Partial<Revision> = {}): Revision {
  return {
    id: String(id),
    title: `Work on #${workItemID}`,
    url: `https://github.com/acme/measure/pull/${id}`,
    headSHA: 'a'.repeat(40),
    headRef: `issue-${workItemID}-1772625600`,
    author: 'decree[bot]',
    body: `Closes #${workItemID}`,
    isDraft: false,
    state: 'open',
    workItemID: String(workItemID),
    pipeline: { status: 'success', url: null, reason: null, checkCount: 2 },
    reviewID: null,
    isMergeable: true,
    ...fields,
  };
}

export function run(sessionID: string, subject: RunSubject, fields: Partial<Run> = {}): Run {
  return sampleRun({
    sessionID,
    subject,
    rank: 0,
    requestedAt: NOW - 3 * MINUTE,
    startedAt: NOW - 2 * MINUTE - 10_000,
    model: 'claude-sonnet-4-5',
    ...fields,
  });
}

export function implementorOf(workItemID: number): RunSubject {
  const branchName = `issue-${workItemID}-1772625600`;
  return {
    role: 'implementor',
    workItemID: String(workItemID),
    branchName,
    start: { from: 'default-branch' },
    repair: null,
  };
}

export function reviewerOf(workItemID: number, revisionID: number): RunSubject {
  const headRef = `issue-${workItemID}-1772625600`;
  return {
    role: 'reviewer',
    workItemID: String(workItemID),
    revisionID: String(revisionID),
    headRef,
    headSHA: 'a'.repeat(40),
  };
}

export function plannerOf(...paths: readonly string[]): RunSubject {
  return {
    role: 'planner',
    specs: Object.fromEntries(paths.map((path) => [path, 'b'.repeat(40)])),
    commitSHA: 'c'.repeat(40),
  };
}

/** What the screen knows about an item on which nothing has happened yet. */
export function factsOf(about: WorkItem, fields: Partial<ItemFacts> = {}): ItemFacts {
  return { item: about, revision: null, run: null, lastRun: null, retryAt: null, openBlockers: [], ...fields };
}

/** A day at work: something of everything. */
export const SAMPLE: Partial<EngineSnapshot> = {
  workItems: [
    item(4, 'Round results to two decimal places', { status: 'approved', priority: 'high', linkedRevision: '15' }),
    item(7, 'Convert kilometres to miles and back', { status: 'review', linkedRevision: '18', priority: 'high' }),
    item(9, 'Explain the command in the README', { status: 'ready', priority: 'low' }),
    item(10, 'Refuse temperatures below absolute zero', { status: 'in-progress', priority: 'high' }),
    item(12, 'Print the unit next to every converted value, also when it is the default one', {
      status: 'in-progress',
    }),
    item(13, 'Read values from standard input', { status: 'blocked', priority: 'medium' }),
    item(14, 'Support Kelvin', { status: 'pending', blockedBy: ['10'], priority: 'low' }),
    item(16, 'Accept decimal commas', { status: 'needs-refinement', priority: 'medium' }),
    item(17, 'Describe all units with `measure --list`', { status: 'ready', priority: null }),
    item(20, 'Publish the command as a package', { status: 'pending', blockedBy: ['4', '9'], priority: null }),
  ],
  revisions: [
    revision(15, 4),
    revision(18, 7, { pipeline: { status: 'pending', url: null, reason: null, checkCount: 1 } }),
  ],
  runs: [
    run('session-10', implementorOf(10)),
    run('session-12', implementorOf(12), { status: 'waiting', startedAt: null }),
    run('session-7', reviewerOf(7, 18), { startedAt: NOW - 42_000 }),
  ],
  lastRuns: [
    run('session-13', implementorOf(13), {
      status: 'failed',
      attempt: 3,
      endedAt: NOW - 5 * MINUTE,
      failure: 'The tests of the sample did not pass: expected 68, got 67.99999999999999 (test/stdin.test.js:12).',
      savedRef: 'refs/decree/runs/session-13',
      logFilePath: '.decree/logs/session-13.log',
    }),
    run('session-4', reviewerOf(4, 15), { status: 'completed', endedAt: NOW - 20 * MINUTE }),
  ],
  spend: { settledUSD: 3.2, reservedUSD: 10, perDayUSD: 50 },
  rateLimit: { limit: 5000, remaining: 4812, resetsAt: NOW + 30 * MINUTE },
};

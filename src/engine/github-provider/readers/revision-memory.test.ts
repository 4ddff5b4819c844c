import { describe, expect, test } from 'vitest';
import type { PipelineResult } from '../../../domain/revision.ts';
import type { PullRequestData } from '../github-client/answers.ts';
import { createRevisionMemory } from './revision-memory.ts';

const SUCCESS: PipelineResult = { status: 'success', url: null, reason: null, checkCount: 1 };
const FAILURE: PipelineResult = { status: 'failure', url: null, reason: 'ci', checkCount: 1 };
const RUNNING: PipelineResult = { status: 'pending', url: null, reason: null, checkCount: 1 };
const NO_CI: PipelineResult = { status: 'pending', url: null, reason: null, checkCount: 0 };

const pr = (changes: { sha?: string; updated_at?: string } = {}): PullRequestData => ({
  number: 3,
  title: 'A change',
  html_url: '',
  state: 'open',
  updated_at: changes.updated_at ?? '2026-01-01T00:00:00Z',
  head: { sha: changes.sha ?? 'a', ref: 'branch' },
  base: { ref: 'main', sha: 'b' },
});

function setUp() {
  let now = 0;
  const memory = createRevisionMemory({ now: () => now, after: () => () => {} });
  /** Reads whenever memory says so, every second for this long; returns the seconds at which it read. */
  const watch = (pipeline: PipelineResult | null, seconds: number) => {
    const reads: number[] = [];
    for (; now <= seconds * 1_000; now += 1_000) {
      if (memory.recall(pr()) !== undefined) continue;
      reads.push(now / 1_000);
      memory.keep(memory.begin(pr()), { pipeline, reviewID: null });
    }
    return reads;
  };
  const setClock = (ms: number) => void (now = ms);
  return { memory, watch, setClock };
}

describe('what is known about a revision', () => {
  test('a success is read again ever more rarely, and at least every half hour', () => {
    const reads = setUp().watch(SUCCESS, 3 * 3_600);
    expect(reads.slice(0, 7)).toEqual([0, 60, 180, 420, 900, 1_860, 3_660]);
    expect((reads[8] ?? 0) - (reads[7] ?? 0)).toBe(1_800);
  });

  test.each([
    ['a failure', FAILURE],
    ['a head without any check', NO_CI],
  ])('%s is read at least every two minutes', (_, pipeline) => {
    const reads = setUp().watch(pipeline, 1_200);
    expect(reads.slice(0, 5)).toEqual([0, 1, 3, 7, 15]);
    expect((reads.at(-1) ?? 0) - (reads.at(-2) ?? 0)).toBe(120);
  });

  test.each([
    ['running checks', RUNNING],
    ['an unknown state', null],
  ])('%s are read every time', (_, pipeline) => {
    expect(setUp().watch(pipeline, 5)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('a new head or a new change ends it at once', () => {
    const { memory } = setUp();
    memory.keep(memory.begin(pr()), { pipeline: SUCCESS, reviewID: '1' });
    expect(memory.recall(pr())).toEqual({ pipeline: SUCCESS, reviewID: '1' });
    expect(memory.recall(pr({ sha: 'c' }))).toBeUndefined();
    expect(memory.recall(pr({ updated_at: '2026-01-01T00:00:01Z' }))).toBeUndefined();
  });

  test('what was read before our own write is not kept after it', () => {
    const { memory } = setUp();
    const ticket = memory.begin(pr());
    memory.forget('3');
    memory.keep(ticket, { pipeline: SUCCESS, reviewID: null });
    expect(memory.recall(pr())).toBeUndefined();
  });

  test('a clock that is set back does not make it last', () => {
    const { memory, setClock } = setUp();
    memory.keep(memory.begin(pr()), { pipeline: SUCCESS, reviewID: null });
    setClock(-86_400_000);
    expect(memory.recall(pr())).toBeUndefined();
  });

  test('revisions that are gone are forgotten', () => {
    const { memory } = setUp();
    memory.keep(memory.begin(pr()), { pipeline: SUCCESS, reviewID: null });
    memory.retain([]);
    expect(memory.recall(pr())).toBeUndefined();
  });
});

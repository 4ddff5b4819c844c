import { expect, test } from 'vitest';
import { canMoveRun, isFinished } from './run.ts';
import { isDispatchable, isSelfStarting, mayEngineMove } from './status-rules.ts';
import { WORK_ITEM_STATUSES } from './work-item.ts';

test('an implementor starts from these statuses only, and by itself from fewer', () => {
  expect(WORK_ITEM_STATUSES.filter(isDispatchable)).toEqual([
    'pending',
    'ready',
    'unblocked',
    'in-progress',
    'needs-changes',
  ]);
  expect(WORK_ITEM_STATUSES.filter(isSelfStarting)).toEqual(['ready', 'unblocked', 'needs-changes']);
});

test('the engine never reopens, never skips review, and leaves what waits for a person alone', () => {
  expect(WORK_ITEM_STATUSES.filter((to) => mayEngineMove('closed', to))).toEqual([]);
  expect(mayEngineMove('in-progress', 'approved')).toBe(false);
  expect(mayEngineMove('ready', 'approved')).toBe(false);
  expect(WORK_ITEM_STATUSES.filter((to) => mayEngineMove('blocked', to))).toEqual(['closed']);
  expect(WORK_ITEM_STATUSES.filter((to) => mayEngineMove('needs-refinement', to))).toEqual(['closed']);
});

test('a run that was requested may fail without ever running, and a finished one never moves again', () => {
  expect(canMoveRun('requested', 'failed')).toBe(true);
  expect(canMoveRun('waiting', 'running')).toBe(false);
  expect(isFinished('cancelled')).toBe(true);
  expect(canMoveRun('completed', 'failed')).toBe(false);
});

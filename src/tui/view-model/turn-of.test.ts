import { describe, expect, test } from 'vitest';
import { WORK_ITEM_STATUSES } from '../../domain/work-item.ts';
import {
  NOW,
  factsOf,
  implementorOf,
  item,
  plannerOf,
  reviewerOf,
  revision,
  run,
} from '../../../test/tui/sample-snapshot.ts';
import type { ItemFacts } from './item-facts.ts';
import { turnOf } from './turn-of.ts';

function facts(fields: Partial<ItemFacts>): ItemFacts {
  return factsOf(item(1, 'First'), fields);
}

const pending = item(1, 'First', { status: 'pending' });
const inReview = item(1, 'First', { status: 'review', linkedRevision: '2' });
const approved = item(1, 'First', { status: 'approved', linkedRevision: '2' });
const failed = run('s', implementorOf(1), { status: 'failed' });
const cancelled = run('s', implementorOf(1), { status: 'cancelled' });
const completed = run('s', implementorOf(1), { status: 'completed' });
const green = revision(2, 1);
const red = revision(2, 1, { pipeline: { status: 'failure', url: null, reason: null, checkCount: 1 } });
const running = revision(2, 1, { pipeline: { status: 'pending', url: null, reason: null, checkCount: 1 } });
const withoutCI = revision(2, 1, { pipeline: { status: 'pending', url: null, reason: null, checkCount: 0 } });

/** A failed run, and a pause before the next. */
function between(fields: Partial<ItemFacts>): ItemFacts {
  return facts({ lastRun: failed, retryAt: NOW + 40_000, ...fields });
}

describe('whose turn it is, and the next step', () => {
  test.each([
    ['ready', facts({}), 'you', 'dispatch'],
    ['pending with blockers', facts({ item: pending, openBlockers: ['2', '10'] }), 'agents', 'waits for #2 #10'],
    ['pending without', facts({ item: pending }), 'agents', 'gets ready'],
    ['pending between attempts', between({ item: pending }), 'agents', 'tries again in 40s'],
    ['pending after a pause', between({ item: pending, retryAt: NOW }), 'agents', 'tries again now'],
    ['failed, no attempt left', facts({ item: pending, lastRun: failed }), 'you', 'dispatch again (it failed)'],
    ['pending and cancelled', facts({ item: pending, lastRun: cancelled }), 'you', 'dispatch again (was cancelled)'],
    ['needs changes', facts({ item: item(1, '', { status: 'needs-changes' }) }), 'you', 'dispatch for changes'],
    [
      'being published',
      facts({ item: item(1, '', { status: 'in-progress' }), lastRun: completed }),
      'agents',
      'publishing',
    ],
    ['left behind', facts({ item: item(1, '', { status: 'in-progress' }) }), 'you', 'dispatch again (no agent)'],
    ['review set by hand', facts({ item: inReview, revision: green }), 'you', 'start a reviewer'],
    ['review of nothing', facts({ item: inReview }), 'you', 'has no open pull request'],
    ['review, CI running', facts({ item: inReview, revision: running, lastRun: completed }), 'agents', 'waits for CI'],
    [
      'review, no CI',
      facts({ item: inReview, revision: withoutCI, lastRun: completed }),
      'agents',
      'waits for a reviewer',
    ],
    ['review between attempts', between({ item: inReview, revision: green }), 'agents', 'tries again in 40s'],
    ['review failed', facts({ item: inReview, revision: green, lastRun: failed }), 'you', 'review again (it failed)'],
    ['approved, green', facts({ item: approved, revision: green }), 'you', 'merge'],
    ['approved, no CI', facts({ item: approved, revision: withoutCI }), 'you', 'merge'],
    ['approved, red', facts({ item: approved, revision: red }), 'you', 'see why CI is red'],
    ['approved, CI running', facts({ item: approved, revision: running }), 'agents', 'waits for CI'],
    [
      'waiting run',
      facts({ run: run('s', implementorOf(1), { status: 'waiting' }) }),
      'agents',
      'implementor waits for a slot',
    ],
    ['live run', facts({ run: run('s', reviewerOf(1, 2)) }), 'agents', 'reviewer 2m10s'],
  ])('%s', (_, given, whose, step) => {
    expect(turnOf(given, NOW, 'manual')).toMatchObject({ whose, step });
  });

  test.each([
    ['ready', facts({}), 'agents', 'waits for an implementor'],
    ['needs changes', facts({ item: item(1, '', { status: 'needs-changes' }) }), 'agents', 'waits for an implementor'],
    ['cancelled', facts({ lastRun: cancelled }), 'you', 'dispatch again (was cancelled)'],
  ])('with automatic dispatch: %s', (_, given, whose, step) => {
    expect(turnOf(given, NOW, 'auto')).toMatchObject({ whose, step });
  });

  test('a planner that failed needs a person, one that runs or tries again does not', () => {
    const planner = run('p', plannerOf('a.md'));
    const ended = { item: null, run: null, lastRun: { ...planner, status: 'failed' }, retryAt: null } as const;
    expect(turnOf({ item: null, run: planner, lastRun: null, retryAt: null }, NOW, 'manual').whose).toBe('agents');
    expect(turnOf(ended, NOW, 'manual').whose).toBe('you');
    expect(turnOf({ ...ended, retryAt: NOW + 40_000 }, NOW, 'manual').step).toBe('tries again in 40s');
  });

  test('every status has a symbol and a step', () => {
    for (const status of WORK_ITEM_STATUSES) {
      const { symbol, step } = turnOf(facts({ item: item(1, '', { status }) }), NOW, 'manual');
      expect(symbol).toHaveLength(1);
      expect(step).not.toBe('');
    }
  });
});

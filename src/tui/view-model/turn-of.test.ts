import { describe, expect, test } from 'vitest';
import { WORK_ITEM_STATUSES } from '../../domain/work-item.ts';
import { NOW, implementorOf, item, plannerOf, reviewerOf, revision, run } from '../../../test/tui/sample-snapshot.ts';
import type { ItemFacts } from './item-facts.ts';
import { turnOf } from './turn-of.ts';

function facts(fields: Partial<ItemFacts>): ItemFacts {
  return { item: item(1, 'First'), revision: null, run: null, lastRun: null, openBlockers: [], ...fields };
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

describe('whose turn it is, and the next step', () => {
  test.each([
    ['ready', facts({}), 'you', 'dispatch'],
    ['pending with blockers', facts({ item: pending, openBlockers: ['2', '10'] }), 'agents', 'waits for #2 #10'],
    ['pending without', facts({ item: pending }), 'agents', 'gets ready'],
    ['pending between attempts', facts({ item: pending, lastRun: failed }), 'agents', 'tries again soon'],
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
    ['review failed', facts({ item: inReview, revision: green, lastRun: failed }), 'agents', 'tries again soon'],
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
    expect(turnOf(given, NOW)).toMatchObject({ whose, step });
  });

  test('a planner that failed needs a person, one that runs does not', () => {
    const planner = run('p', plannerOf('a.md'));
    expect(turnOf({ item: null, run: planner, lastRun: null }, NOW).whose).toBe('agents');
    expect(turnOf({ item: null, run: null, lastRun: { ...planner, status: 'failed' } }, NOW).whose).toBe('you');
  });

  test('every status has a symbol and a step', () => {
    for (const status of WORK_ITEM_STATUSES) {
      const { symbol, step } = turnOf(facts({ item: item(1, '', { status }) }), NOW);
      expect(symbol).toHaveLength(1);
      expect(step).not.toBe('');
    }
  });
});

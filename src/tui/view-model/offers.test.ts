import { describe, expect, test } from 'vitest';
import { factsOf, implementorOf, item, plannerOf, revision, run } from '../../../test/tui/sample-snapshot.ts';
import type { WorkItemStatus } from '../../domain/work-item.ts';
import type { ItemFacts } from './item-facts.ts';
import { ACTIONS, isOffered, offerOf } from './offers.ts';

function facts(status: WorkItemStatus, fields: Partial<ItemFacts> = {}): ItemFacts {
  return factsOf(item(1, 'First', { status }), fields);
}

const pull = revision(2, 1);
const failed = run('s', implementorOf(1), { status: 'failed' });

describe('what is offered', () => {
  test.each([
    ['ready', facts('ready'), ['dispatch']],
    ['pending', facts('pending'), ['dispatch']],
    ['pending with blockers', facts('pending', { openBlockers: ['3'] }), []],
    ['needs-changes', facts('needs-changes', { revision: pull }), ['dispatch']],
    ['failed and pending', facts('pending', { lastRun: failed }), ['dispatch', 'retry']],
    ['between attempts', facts('pending', { lastRun: failed, retryAt: 1 }), ['dispatch', 'retry', 'cancel']],
    ['in review', facts('review', { revision: pull }), ['review']],
    ['in review, failed', facts('review', { revision: pull, lastRun: failed }), ['review', 'retry']],
    ['a draft in review', facts('review', { revision: { ...pull, isDraft: true } }), []],
    ['approved', facts('approved', { revision: pull }), ['merge']],
    ['approved, CI unknown', facts('approved', { revision: { ...pull, pipeline: null } }), []],
    ['blocked', facts('blocked', { lastRun: failed }), []],
    ['with an agent', facts('in-progress', { run: run('s', implementorOf(1)) }), ['cancel']],
  ])('%s', (_, given, offered) => {
    expect(ACTIONS.filter((action) => isOffered(action, given))).toEqual(offered);
  });
});

test('what is not offered says why, in a sentence', () => {
  const offers = (['ready', 'review', 'approved', 'blocked', 'closed'] as const).flatMap((status) =>
    ACTIONS.map((action) => offerOf(action, facts(status))),
  );
  const sentences = offers.map((offer) => ('refusal' in offer ? offer.refusal : offer.done));
  for (const sentence of sentences) expect(sentence).toMatch(/^[#A-Z].*\.$/);
});

test('merging and cancelling ask first; a planner can be cancelled, also between attempts', () => {
  expect(offerOf('merge', facts('approved', { revision: pull }))).toMatchObject({ question: expect.any(String) });
  const planner = { item: null, run: run('p', plannerOf('a.md')), lastRun: null, retryAt: null };
  expect(offerOf('cancel', planner)).toMatchObject({ command: { command: 'cancelPlanner' } });
  expect(offerOf('cancel', { ...planner, run: null, retryAt: 1 })).toMatchObject({
    command: { command: 'cancelPlanner' },
  });
  expect(offerOf('cancel', { ...planner, run: null })).toHaveProperty('refusal');
  expect(offerOf('dispatch', planner)).toHaveProperty('refusal');
});

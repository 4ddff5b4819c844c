import { expect, test } from 'vitest';
import { EMPTY_SNAPSHOT } from '../../../test/tui/fake-engine.ts';
import { NOW, SAMPLE, implementorOf, item, plannerOf, run } from '../../../test/tui/sample-snapshot.ts';
import type { EngineSnapshot } from '../../engine/engine-types.ts';
import { findSelection, listItems } from './item-list.ts';

function keysOf(snapshot: Partial<EngineSnapshot>, search = ''): { needsYou: string[]; atWork: string[] } {
  const { needsYou, atWork } = listItems({ ...EMPTY_SNAPSHOT, ...snapshot }, search, NOW);
  return { needsYou: needsYou.map(({ key }) => key), atWork: atWork.map(({ key }) => key) };
}

test('the two sections hold every open item once, by priority and then by number', () => {
  expect(keysOf(SAMPLE)).toEqual({ needsYou: ['4', '13', '16', '9', '17'], atWork: ['7', '10', '12', '14', '20'] });
});

test('ids sort as numbers', () => {
  const workItems = [10, 9, 100, 1].map((id) => item(id, 'x'));
  expect(keysOf({ workItems }).needsYou).toEqual(['1', '9', '10', '100']);
});

test('running agents stand before waiting ones, and the planner before all', () => {
  const workItems = [1, 2, 3].map((id) => item(id, 'x', { status: 'in-progress' }));
  const runs = [
    run('s1', implementorOf(1), { status: 'waiting' }),
    run('s2', implementorOf(2), { status: 'requested' }),
    run('s3', implementorOf(3)),
    run('p', plannerOf('a.md')),
  ];
  expect(keysOf({ workItems, runs }).atWork).toEqual(['planner', '3', '2', '1']);
});

test('closed items are not listed, and do not block others', () => {
  const workItems = [item(1, 'x', { status: 'closed' }), item(2, 'y', { status: 'pending', blockedBy: ['1'] })];
  const list = listItems({ ...EMPTY_SNAPSHOT, workItems }, '', NOW);
  expect(list.entries.map(({ key, turn }) => [key, turn.step])).toEqual([['2', 'gets ready']]);
});

test('a search looks for every word in number, title, status, priority and pull request', () => {
  expect(keysOf(SAMPLE, 'convert').atWork).toEqual(['7', '12']);
  expect(keysOf(SAMPLE, 'CONVERT high').atWork).toEqual(['7']);
  expect(keysOf(SAMPLE, '#15').needsYou).toEqual(['4']);
  expect(keysOf(SAMPLE, 'blocked').needsYou).toEqual(['13']);
  expect(listItems({ ...EMPTY_SNAPSHOT, ...SAMPLE }, 'nothing like it', NOW)).toMatchObject({ entries: [], total: 10 });
});

test('the selection stays on its entry, or where that was', () => {
  const list = listItems({ ...EMPTY_SNAPSHOT, ...SAMPLE }, '', NOW);
  expect(findSelection(list, '16', 0)).toBe(2);
  expect(findSelection(list, 'gone', 3)).toBe(3);
  expect(findSelection(list, 'gone', 30)).toBe(9);
  expect(findSelection(listItems(EMPTY_SNAPSHOT, '', NOW), null, 0)).toBe(-1);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Place } from './waiting-line.ts';
import { WaitingLine } from './waiting-line.ts';

test('the lowest rank goes first, then the earliest, then who came first', () => {
  let line = WaitingLine.empty();
  for (const [rank, at, id] of [
    [2, 10, 'd'],
    [1, 20, 'b'],
    [1, 10, 'a'],
    [1, 20, 'c'],
  ] as const)
    line = line.add({ rank, at, id });
  expect([...line]).toEqual(['a', 'b', 'c', 'd']);
  expect(line.first(2)).toEqual(['a', 'b']);
  expect(line.first(0)).toEqual([]);
  expect(line.size).toBe(4);
});

test('who is not in it cannot be removed, and nobody else is', () => {
  const line = WaitingLine.empty().add({ rank: 1, at: 1, id: 'a' });
  expect(line.remove({ rank: 1, at: 1, id: 'b' })).toBe(line);
  expect(line.remove({ rank: 1, at: 2, id: 'a' })).toBe(line);
  expect([...line.remove({ rank: 1, at: 1, id: 'a' })]).toEqual([]);
});

test('whatever is added and removed, it is in the order of a stable sort, and earlier versions stay as they were', () => {
  const place = fc.record({ rank: fc.nat(2), at: fc.nat(5), isRemoval: fc.boolean(), choice: fc.nat() });
  fc.assert(
    fc.property(fc.array(place, { minLength: 400, maxLength: 800 }), (steps) => {
      let line = WaitingLine.empty();
      let model: Place[] = [];
      const versions: { line: WaitingLine; ids: string[] }[] = [];
      for (const [number, { rank, at, isRemoval, choice }] of steps.entries()) {
        const victim = isRemoval && number > 300 ? model[choice % Math.max(model.length, 1)] : undefined;
        const added = { rank, at, id: String(number) };
        line = victim === undefined ? line.add(added) : line.remove(victim);
        model = victim === undefined ? [...model, added] : model.filter((other) => other !== victim);
        if (number % 50 === 0) versions.push({ line, ids: sortedIDs(model) });
      }
      expect([...line]).toEqual(sortedIDs(model));
      expect(line.size).toBe(model.length);
      for (const version of versions) expect([...version.line]).toEqual(version.ids);
    }),
    { numRuns: 20 },
  );
});

function sortedIDs(places: readonly Place[]): string[] {
  return places.toSorted((a, b) => a.rank - b.rank || a.at - b.at).map(({ id }) => id);
}

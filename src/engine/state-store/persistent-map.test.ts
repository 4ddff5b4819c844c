import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PersistentMap } from './persistent-map.ts';

// FNV-1a gives these two the same hash, so they share a leaf.
const COLLIDING = ['costarring', 'liquid'];

const key = fc.oneof(fc.constantFrom('a', 'b', 'c', ...COLLIDING), fc.string({ maxLength: 6 }));
const edits = fc.array(fc.oneof(fc.tuple(key, fc.integer()), fc.tuple(key, fc.constant(null))), { maxLength: 200 });

function play(
  steps: [string, number | null][],
  start = PersistentMap.empty<number>(),
  model = new Map<string, number>(),
) {
  let map = start;
  for (const [k, v] of steps) {
    map = v === null ? map.delete(k) : map.set(k, v);
    if (v === null) model.delete(k);
    else model.set(k, v);
  }
  return { map, model };
}

test('it agrees with a plain Map after any sequence of edits', () => {
  fc.assert(
    fc.property(edits, (steps) => {
      const { map, model } = play(steps);
      expect(map.size).toBe(model.size);
      expect(new Map(map.entries())).toEqual(model);
      for (const [k] of steps) expect(map.get(k)).toBe(model.get(k));
    }),
  );
});

test('an earlier version is untouched by later edits, and the difference between two versions is exact', () => {
  fc.assert(
    fc.property(edits, edits, (first, second) => {
      const { map: earlier, model } = play(first);
      const frozen = new Map(model);
      const { map: later, model: laterModel } = play(second, earlier, model);
      expect(new Map(earlier.entries())).toEqual(frozen);

      const patched = new Map(frozen);
      for (const change of later.changesSince(earlier)) {
        expect(change.before).toBe(frozen.get(change.key));
        expect(change.after).not.toBe(change.before);
        if (change.after === undefined) patched.delete(change.key);
        else patched.set(change.key, change.after);
      }
      expect(patched).toEqual(laterModel);
    }),
  );
});

test('keys with the same hash live side by side', () => {
  const map = PersistentMap.from(COLLIDING.map((k, i) => [k, i]));
  expect(COLLIDING.map((k) => map.get(k))).toEqual([0, 1]);
  expect(map.delete('costarring').get('liquid')).toBe(1);
});

test('setting the value that is already there returns the same map', () => {
  const map = PersistentMap.from([['a', 1]]);
  expect(map.set('a', 1)).toBe(map);
  expect(map.delete('b')).toBe(map);
});

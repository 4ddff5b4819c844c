import { expect, test, vi } from 'vitest';
import { createFakeEngine } from '../../../test/tui/fake-engine.ts';
import { factsOf, item, revision } from '../../../test/tui/sample-snapshot.ts';
import type { ItemFacts } from '../view-model/item-facts.ts';
import { createDetailsLoader } from './create-details-loader.ts';

function facts(id: number, fields: Partial<ItemFacts> = {}): ItemFacts {
  return factsOf(item(id, 'x'), fields);
}

function countingEngine() {
  const engine = createFakeEngine();
  const asked: number[] = [];
  const getIssueDetails = (number: number) => {
    asked.push(number);
    return engine.getIssueDetails(number);
  };
  return { engine: { ...engine, getIssueDetails }, asked, bodies: engine.bodies };
}

test('only an item that stays shown for a moment is read, and only once per version', async () => {
  const { engine, asked, bodies } = countingEngine();
  bodies.set(3, 'the body');
  const loader = createDetailsLoader(engine, () => {}, 1);
  for (const id of [1, 2, 3, 3]) loader.show(facts(id));
  await vi.waitFor(() =>
    expect(loader.read('3')).toMatchObject({ state: 'ready', value: { body: 'the body', pull: null } }),
  );
  loader.show(facts(3));
  loader.show(facts(3, { revision: revision(7, 3) }));
  await vi.waitFor(() => expect(loader.read('3')).toMatchObject({ value: { pull: { files: [] } } }));
  expect(asked).toEqual([3, 3]);
  expect(loader.read('1')).toEqual({ state: 'loading' });
});

test('a failure is shown, and looking again reads again', async () => {
  const { engine, asked } = countingEngine();
  let isDown = true;
  const flaky = {
    ...engine,
    getIssueDetails: async (number: number) => {
      if (isDown) throw new Error('The forge answered 502.');
      return engine.getIssueDetails(number);
    },
  };
  const loader = createDetailsLoader(flaky, () => {}, 1);
  loader.show(facts(1));
  await vi.waitFor(() => expect(loader.read('1')).toEqual({ state: 'failed', message: 'The forge answered 502.' }));
  isDown = false;
  loader.show(facts(1));
  await vi.waitFor(() => expect(loader.read('1').state).toBe('ready'));
  expect(asked).toEqual([1]);
});

import { expect, test } from 'vitest';
import { settle } from '../engine/until.ts';
import { useEngine } from '../engine/use-engine.ts';
import { openScreen } from './open-screen.ts';

const bench = useEngine();

test('the first picture is drawn before the forge has answered, and follows when it does', async () => {
  const t = bench.create();
  t.forge.addItem({ id: '1', status: 'blocked', title: 'A known item' });
  const answer = Promise.withResolvers<void>();
  let isAsked = false;
  t.forge.onListed = () => {
    isAsked = true;
    return answer.promise;
  };
  const screen = openScreen({ engine: t.engine });
  await screen.until('Reading the repository');
  await settle();
  expect(isAsked).toBe(true);
  expect(screen.text()).not.toContain('A known item');
  answer.resolve();
  await screen.until('A known item');
  await screen.close();
});

import { expect, test } from 'vitest';
import { createQuitting } from './create-quitting.ts';

function countingEngine() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const engine = {
    stops: 0,
    stop: () => {
      engine.stops++;
      return promise;
    },
  };
  return { engine, resolve, reject };
}

test('a graceful end stops the engine once and waits for it', async () => {
  const { engine, resolve } = countingEngine();
  const quitting = createQuitting(engine);
  quitting.gracefully();
  quitting.gracefully();
  expect(engine.stops).toBe(1);
  resolve();
  await expect(quitting.ended).resolves.toBeUndefined();
});

test('at once stops it a second time; once more does not wait', async () => {
  const { engine } = countingEngine();
  const quitting = createQuitting(engine);
  quitting.atOnce();
  expect(engine.stops).toBe(2);
  quitting.atOnce();
  await expect(quitting.ended).resolves.toBeUndefined();
});

test('an engine that cannot be stopped is an error', async () => {
  const { engine, reject } = countingEngine();
  const quitting = createQuitting(engine);
  quitting.gracefully();
  reject(new Error('the journal is gone'));
  await expect(quitting.ended).rejects.toThrow('the journal is gone');
});

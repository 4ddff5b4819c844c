import { expect, test, vi } from 'vitest';
import { createFakeEngine } from '../../../test/tui/fake-engine.ts';
import { createStreamTails } from './create-stream-tails.ts';

test('a session that has no stream yet is followed as soon as it has one', async () => {
  const engine = createFakeEngine();
  const tails = createStreamTails(engine, () => {});
  tails.follow(['s']);
  expect(tails.read().has('s')).toBe(false);
  engine.write('s', 'first\nsec');
  tails.follow(['s']);
  engine.write('s', 'ond\r\nthird');
  await vi.waitFor(() => expect(tails.read().get('s')).toEqual(['first', 'second', 'third']));
});

test('only the newest lines are kept, endless lines are broken, and sequences in pieces do no harm', async () => {
  const engine = createFakeEngine();
  const tails = createStreamTails(engine, () => {});
  for (let index = 0; index < 5000; index++) engine.write('s', `line ${index}\n`);
  engine.write('s', 'x'.repeat(10_000));
  engine.write('s', '\n\u001b[3');
  engine.write('s', '1mred\u001b[0m\n');
  tails.follow(['s']);
  await vi.waitFor(() => expect(tails.read().get('s')?.at(-1)).toBe('red'));
  expect(tails.read().get('s')?.length).toBeLessThanOrEqual(1000);
});

test('a stream that breaks off says so', async () => {
  const broken = {
    async *[Symbol.asyncIterator]() {
      yield 'some text';
      throw new Error('the pipe is closed');
    },
  };
  const tails = createStreamTails({ getAgentStream: () => broken }, () => {});
  tails.follow(['s']);
  await vi.waitFor(() => expect(tails.read().get('s')).toContain('(The output broke off: the pipe is closed)'));
});

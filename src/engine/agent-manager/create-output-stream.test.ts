import { expect, test } from 'vitest';
import { createOutputStream } from './create-output-stream.ts';

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  return Array.fromAsync(stream);
}

test('every reader gets everything, whenever it comes', async () => {
  const stream = createOutputStream();
  const early = collect(stream.read());
  stream.write('one');
  stream.write('two');
  const late = collect(stream.read());
  stream.write('three');
  stream.end();
  expect(await early).toEqual(['one', 'two', 'three']);
  expect(await late).toEqual(['one', 'two', 'three']);
  expect(await collect(stream.read())).toEqual(['one', 'two', 'three']);
});

test('only the newest part is kept: a late reader starts there, and a slow one skips what is gone', async () => {
  const stream = createOutputStream(10);
  const slow = stream.read()[Symbol.asyncIterator]();
  stream.write('aaaa');
  expect(await slow.next()).toEqual({ done: false, value: 'aaaa' });
  for (const chunk of ['bbbb', 'cccc', 'dddd']) stream.write(chunk);
  stream.end();
  expect(await slow.next()).toEqual({ done: false, value: 'cccc' });
  expect(await collect(stream.read())).toEqual(['cccc', 'dddd']);
});

test('a chunk larger than what is kept leaves its end', async () => {
  const stream = createOutputStream(4);
  stream.write('0123456789');
  stream.end();
  expect(await collect(stream.read())).toEqual(['6789']);
});

test('nothing is written after the end, and nothing empty', async () => {
  const stream = createOutputStream();
  stream.write('');
  stream.end();
  stream.write('late');
  expect(await collect(stream.read())).toEqual([]);
});

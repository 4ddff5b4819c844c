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

test('whatever is written and read in whatever order, readers get the newest part without holes', async () => {
  const stream = createOutputStream(100);
  const quick = stream.read()[Symbol.asyncIterator]();
  const slow = stream.read()[Symbol.asyncIterator]();
  const quickly: number[] = [];
  const slowly: number[] = [];
  for (let number = 0; number < 5_000; number++) {
    stream.write(`${number} `.padEnd(1 + (number % 17)));
    quickly.push(Number((await quick.next()).value));
    if (number % 40 === 39) slowly.push(Number((await slow.next()).value));
  }
  stream.end();
  expect(quickly).toEqual(Array.from({ length: 5_000 }, (_, number) => number));
  // What it reads next is never older than what is kept, and never what it has read before.
  for (const [index, number] of slowly.entries()) expect(40 * (index + 1) - number).toBeLessThanOrEqual(40);
  expect(new Set(slowly).size).toBe(slowly.length);
  const kept = await collect(stream.read());
  expect(kept.join('').length).toBeLessThanOrEqual(100);
  expect(Number(kept.at(-1))).toBe(4_999);
});

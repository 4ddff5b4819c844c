import { expect, test } from 'vitest';
import { createOutputBuffer } from './output-buffer.ts';

async function readAll(output: AsyncIterable<string>): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return chunks;
}

test('text that was printed before anybody read is kept, in order', async () => {
  const buffer = createOutputBuffer();
  buffer.print('one');
  buffer.print('two');
  buffer.end();
  expect(await readAll(buffer.output)).toEqual(['one', 'two']);
});

test('a reader that waits gets text as it comes', async () => {
  const buffer = createOutputBuffer();
  const iterator = buffer.output[Symbol.asyncIterator]();
  const first = iterator.next();
  buffer.print('now');
  expect(await first).toEqual({ done: false, value: 'now' });
  const last = iterator.next();
  buffer.end();
  expect(await last).toEqual({ done: true, value: undefined });
});

test('after the end nothing is added, and ending again does nothing', async () => {
  const buffer = createOutputBuffer();
  buffer.print('in time');
  buffer.end();
  buffer.print('too late');
  buffer.end();
  expect(await readAll(buffer.output)).toEqual(['in time']);
});

test('unread text beyond the limit is dropped, oldest first', async () => {
  const buffer = createOutputBuffer(10);
  for (const text of ['aaaa', 'bbbb', 'cccc', 'dddd']) buffer.print(text);
  buffer.end();
  expect(await readAll(buffer.output)).toEqual(['cccc', 'dddd']);
});

test('what has been read does not count against the limit', async () => {
  const buffer = createOutputBuffer(10);
  const iterator = buffer.output[Symbol.asyncIterator]();
  for (const text of ['aaaa', 'bbbb', 'cccc', 'dddd']) {
    buffer.print(text);
    expect((await iterator.next()).value).toBe(text);
  }
});

test.for([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;https://x.test\u0007link\u001b]8;;\u0007', 'link'],
  ['a\u0000b\u0007c\u007fd\u009be', 'abcde'],
  ['tab\tline\r\nnext\n', 'tab\tline\nnext\n'],
  ['back\rover', 'backover'],
  ['ünïcødé ☃ 👩‍💻', 'ünïcødé ☃ 👩‍💻'],
] as const)('%j is shown as plain text', async ([text, plain]) => {
  const buffer = createOutputBuffer();
  buffer.print(text);
  buffer.end();
  expect((await readAll(buffer.output)).join('')).toBe(plain);
});

test('text of which nothing is left is not a chunk', async () => {
  const buffer = createOutputBuffer();
  buffer.print('');
  buffer.print('\u001b[2J');
  buffer.end();
  expect(await readAll(buffer.output)).toEqual([]);
});

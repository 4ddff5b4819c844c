import { lstat, mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askOnce, connect } from '../../src/cli/control/ask-engine.ts';
import { answerSchema } from '../../src/cli/control/protocol.ts';
import { serveEngine } from '../../src/cli/control/serve-engine.ts';
import type { Answerer, EngineServer } from '../../src/cli/control/serve-engine.ts';

let folder = '';
let server: EngineServer | null = null;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-control-'));
});
afterEach(async () => {
  await server?.close();
  server = null;
  await rm(folder, { recursive: true, force: true });
});

const echo: Answerer = async function* (request) {
  yield { answer: 'done', text: JSON.stringify(request) };
};
const status = { ask: 'status' } as const;

/** Sends bytes as they are and reads everything that comes back. */
async function send(socketFile: string, bytes: string): Promise<unknown[]> {
  const socket = await connect(socketFile);
  if (socket === null) throw new Error('nobody listens');
  socket.write(bytes);
  const lines = (await text(socket)).split('\n').filter((line) => line !== '');
  return lines.map((line) => answerSchema.parse(JSON.parse(line)).answer);
}

test('a request is answered, and the socket goes with its server', async () => {
  const file = path.join(folder, '.decree', 'engine.sock');
  server = await serveEngine(file, echo);
  expect(await askOnce(file, status)).toEqual({ answer: 'done', text: '{"ask":"status"}' });
  await server.close();
  server = null;
  await expect(lstat(file)).rejects.toThrow(/ENOENT/);
  await expect(askOnce(file, status)).rejects.toMatchObject({ exitCode: 3 });
});

test.each([
  ['no JSON', 'hello\n'],
  ['an unknown request', '{"ask":"everything"}\n'],
  ['too much', '{"ask":"output","session":1}\n'],
  ['an endless line', 'x'.repeat(200_000)],
])('%s is refused, and the next request is answered', async (_, bytes) => {
  const file = path.join(folder, 'engine.sock');
  server = await serveEngine(file, echo);
  expect(await send(file, bytes)).toEqual(['refused']);
  expect(await send(file, '{"ask":"status"}\n')).toEqual(['done']);
});

test('an answerer that throws is an answer too', async () => {
  const file = path.join(folder, 'engine.sock');
  server = await serveEngine(file, () => {
    throw new Error('out of order');
  });
  expect(await askOnce(file, status)).toMatchObject({ answer: 'refused', text: 'out of order' });
});

test('a client that goes away in the middle ends the stream of answers', async () => {
  const file = path.join(folder, 'engine.sock');
  const ended = Promise.withResolvers<void>();
  server = await serveEngine(file, async function* () {
    try {
      for (;;) yield { answer: 'output', text: 'x'.repeat(10_000) };
    } finally {
      ended.resolve();
    }
  });
  const socket = await connect(file);
  socket?.write('{"ask":"output","session":"a"}\n');
  socket?.once('data', () => socket.destroy());
  await expect(ended.promise).resolves.toBeUndefined();
});

test('where the path is too long for a socket, a link leads to it', async () => {
  const deep = path.join(folder, 'a-rather-long-name-of-a-folder'.repeat(4));
  await mkdir(deep, { recursive: true });
  const file = path.join(deep, 'engine.sock');
  server = await serveEngine(file, echo);
  const target = await readlink(file);
  expect(await askOnce(file, status)).toMatchObject({ answer: 'done' });
  await server.close();
  server = null;
  await expect(lstat(target)).rejects.toThrow(/ENOENT/);
});

test('a file that is no socket, and a socket without a listener, are replaced', async () => {
  const file = path.join(folder, 'engine.sock');
  await writeFile(file, 'something');
  server = await serveEngine(file, echo);
  expect(await askOnce(file, status)).toMatchObject({ answer: 'done' });
});

test('an answer of another version is not understood, and said so', async () => {
  const file = path.join(folder, 'engine.sock');
  const other = createServer((socket) => socket.resume().end('{"answer":"42"}\n'));
  await new Promise<void>((resolve) => other.listen(file, resolve));
  await expect(askOnce(file, status)).rejects.toThrow(/does not understand/);
  await new Promise((resolve) => other.close(resolve));
});

test('an engine that takes connections and answers none still keeps a second one out', async () => {
  const file = path.join(folder, 'engine.sock');
  const frozen = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => frozen.listen(file, resolve));
  await expect(serveEngine(file, echo, 50)).rejects.toThrow(/already runs.*does not answer/);
  await new Promise((resolve) => frozen.close(resolve));
});

import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CLIError } from '../cli-error.ts';
import { askEngine, connect } from './ask-engine.ts';
import { requestSchema, MOST_REQUEST_BYTES } from './protocol.ts';
import type { EngineAnswer, EngineRequest } from './protocol.ts';

export interface EngineServer {
  /** Ends all connections and removes the socket. */
  close(): Promise<void>;
}

/** Answers a request; each answer is sent as it comes. */
export type Answerer = (request: EngineRequest) => AsyncIterable<EngineAnswer>;

/**
 * Makes an engine reachable for commands of the same user. Rejects if another engine already is at this place: there is
 * one per repository.
 */
export async function serveEngine(
  socketFile: string,
  answer: Answerer,
  patienceMs = PATIENCE_MS,
): Promise<EngineServer> {
  await refuseSecond(socketFile, patienceMs);
  await mkdir(path.dirname(socketFile), { recursive: true });
  await rm(socketFile, { force: true });
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    socket.on('error', () => socket.destroy());
    void serve(socket, answer);
  });
  const folder = await listen(server, socketFile);
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of connections) socket.destroy();
      await closed;
      await rm(socketFile, { force: true });
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An engine that is stopped (SIGSTOP, a debugger) takes connections and answers none. */
const PATIENCE_MS = 5_000;

async function refuseSecond(socketFile: string, patienceMs: number): Promise<void> {
  const socket = await connect(socketFile);
  if (socket === null) return;
  socket.destroy();
  let pid = 'unknown: it does not answer';
  for await (const answer of askEngine(socketFile, { ask: 'status' }, patienceMs)) {
    if (answer.answer === 'status') pid = String(answer.status.pid);
    break;
  }
  throw new CLIError(
    `An engine already runs in this repository (process ${pid}).`,
    'Use it with `decree status`, `decree dispatch <item>` ..., or stop it first.',
  );
}

/** About the longest path that a socket can have on every system. */
const LONGEST_PATH = 100;

/** Returns the folder to be removed later if the socket had to be put elsewhere, with a link to it. */
async function listen(server: Server, socketFile: string): Promise<string | null> {
  if (Buffer.byteLength(socketFile) <= LONGEST_PATH) {
    await bind(server, socketFile);
    return null;
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-'));
  await bind(server, path.join(folder, 'engine.sock'));
  await symlink(path.join(folder, 'engine.sock'), socketFile);
  return folder;
}

function bind(server: Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The file comes into being during this call: with this mask nobody else ever gets a chance to connect.
    const mask = process.umask(0o177);
    server.listen(file, () => {
      server.off('error', reject);
      resolve();
    });
    process.umask(mask);
  });
}

async function serve(socket: Socket, answer: Answerer): Promise<void> {
  const send = (line: EngineAnswer): boolean => socket.writable && socket.write(`${JSON.stringify(line)}\n`);
  try {
    const request = await readRequest(socket);
    if (request === null) return;
    for await (const line of answer(request)) {
      if (socket.destroyed) return;
      if (!send(line)) await drained(socket);
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    send({ answer: 'refused', text, advice: 'See .decree/decree.log for more.' });
  } finally {
    socket.end();
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
  });
}

/** Null if the client went away. */
async function readRequest(socket: Socket): Promise<EngineRequest | null> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.length > MOST_REQUEST_BYTES) throw new Error('The request is too long.');
    const end = text.indexOf('\n');
    if (end === -1) continue;
    const parsed = requestSchema.safeParse(parseJSON(text.slice(0, end)));
    if (!parsed.success) throw new Error('The request is not one that this version of decree understands.');
    return parsed.data;
  }
  return null;
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

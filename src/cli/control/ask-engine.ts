import { realpath } from 'node:fs/promises';
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { CLIError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import { answerSchema } from './protocol.ts';
import type { EngineAnswer, EngineRequest } from './protocol.ts';

/**
 * Sends a request to the engine behind a socket and gives its answers. Rejects with exit code 3 if none runs. With
 * `patienceMs` the answers end when the engine says nothing for so long.
 */
export async function* askEngine(
  socketFile: string,
  request: EngineRequest,
  patienceMs = 0,
): AsyncGenerator<EngineAnswer> {
  const socket = await connect(socketFile);
  if (socket === null) {
    throw new CLIError(
      'No engine is running in this repository.',
      'Start one with `decree`, or with `decree run --headless`.',
      { exitCode: EXIT.noEngine },
    );
  }
  try {
    const lines = createInterface({ input: socket, crlfDelay: Infinity });
    socket.setTimeout(patienceMs, () => lines.close());
    // A connection that breaks has no proper end.
    socket.once('close', () => lines.close());
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const line of lines) yield parseAnswer(line);
  } finally {
    socket.destroy();
  }
}

/** For requests that have one answer. */
export async function askOnce(socketFile: string, request: EngineRequest): Promise<EngineAnswer> {
  for await (const answer of askEngine(socketFile, request)) return answer;
  throw new CLIError(
    'The engine ended the connection without an answer.',
    'See whether it still runs: `decree status`.',
  );
}

/** Null if nobody listens there: no file, or one that a killed engine left. */
export async function connect(socketFile: string): Promise<Socket | null> {
  // The file may be a link: the paths of sockets are limited to about a hundred bytes.
  const target = await realpath(socketFile).catch(() => null);
  if (target === null) return null;
  return new Promise((resolve, reject) => {
    const socket = createConnection(target);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      // A connection that breaks ends the answers; there is nothing else to do about it.
      socket.on('error', () => undefined);
      resolve(socket);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (NOBODY.has(error.code ?? '')) resolve(null);
      else if (error.code === 'EACCES') reject(notOurs(socketFile, error));
      else reject(error);
    });
  });
}

const NOBODY: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']);

function notOurs(socketFile: string, cause: Error): CLIError {
  return new CLIError(
    `${socketFile} belongs to another user's engine: permission denied.`,
    'Run the command as the user who started the engine.',
    { cause },
  );
}

function parseAnswer(line: string): EngineAnswer {
  try {
    return answerSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new CLIError(
      'The running engine gave an answer that this version of decree does not understand.',
      'Stop it and start it again with this version.',
      { cause },
    );
  }
}

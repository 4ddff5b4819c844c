import { spawn } from 'node:child_process';
import { endGroupOnAbort, killGroup } from '../../../git/process-group.ts';
import { createTextTail } from '../../../git/text-tail.ts';

export interface CommandOptions {
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Words put before the shell: a program that starts it under rules of its own. */
  readonly launcher?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  /** The end of what it wrote, both streams together. */
  readonly output: string;
}

/**
 * Runs a shell command on an agent's behalf. When it has ended nothing that it started is left. Rejects with the
 * signal's reason after an abort, or if the shell cannot be started; an exit code is an answer.
 */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  options.signal.throwIfAborted();
  const [program, ...args] = [...(options.launcher ?? []), '/bin/sh', '-c', command] as const;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const tail = createTextTail();
  child.stdout.on('data', (chunk: Buffer) => tail.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => tail.add(chunk));
  // Whatever it left in the background would hold the pipes open and live on in a folder that is about to go.
  child.once('exit', () => killGroup(child, 'SIGKILL'));
  const stopWatching = endGroupOnAbort(child, options.signal);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    options.signal.throwIfAborted();
    return { exitCode, output: tail.text() };
  } finally {
    stopWatching();
  }
}

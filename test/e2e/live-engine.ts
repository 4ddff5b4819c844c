import { spawn } from 'node:child_process';
import path from 'node:path';
import type { EngineEvent } from '../../src/engine/engine-types.ts';
import type { EngineProcessOptions } from './engine-process.ts';

/** One life of an engine process. */
export interface EngineLife {
  readonly events: EngineEvent[];
  /** Names of the calls of its journal, in order. */
  readonly journalCalls: string[];
  /** Resolves with the signal that ended it. */
  readonly over: Promise<NodeJS.Signals | null>;
  isOver(): boolean;
  kill(signal: NodeJS.Signals): void;
}

/** `tools` is a folder that goes before the others in its PATH. */
export function liveEngine(options: EngineProcessOptions, { tools }: { tools?: string } = {}): EngineLife {
  const program = path.join(import.meta.dirname, 'engine-process.ts');
  const PATH = [tools, process.env['PATH']].filter((part) => part !== undefined).join(path.delimiter);
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events: EngineEvent[] = [];
  const journalCalls: string[] = [];
  let text = '';
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${text}${chunk}`.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const said: EngineEvent | { journal: string } = JSON.parse(line);
      if ('journal' in said) journalCalls.push(said.journal);
      else events.push(said);
    }
  });
  child.stderr.resume();
  const over = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => {
      isOver = true;
      resolve(signal);
    }),
  );
  return { events, journalCalls, over, isOver: () => isOver, kill: (signal) => child.kill(signal) };
}

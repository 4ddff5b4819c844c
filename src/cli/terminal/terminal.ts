import { styleText } from 'node:util';
import { createProgress } from './progress.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Where commands write. Results go to standard output, remarks and progress to standard error. */
export interface Terminal {
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
  /** Whether standard output is a screen. */
  readonly isScreen: boolean;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** Colours only on a screen, and never with NO_COLOR. */
  readonly style: (style: Style, text: string) => string;
  /** Shows that something goes on, once it takes longer than a second. On a screen only. */
  readonly progress: <T>(what: string, work: Promise<T>) => Promise<T>;
}

export function createTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  // A reader that has seen enough (`decree runs | head`) is no failure.
  stdout.on('error', ignoreClosedPipe);
  stderr.on('error', ignoreClosedPipe);
  return {
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    isScreen: stdout.isTTY,
    canAsk: stdin.isTTY && stderr.isTTY,
    style: (style, text) => styleText(style, text, { stream: stdout }),
    progress: createProgress(stderr),
  };
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

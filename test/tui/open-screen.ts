import type { Terminal } from '@xterm/headless';
import { runTUI } from '../../src/tui/run-tui.tsx';
import type { TUIOptions } from '../../src/tui/run-tui.tsx';
import { createTerminal, createTerminalInput, createTerminalOutput, visibleText } from './emulator.ts';
import type { Engine } from '../../src/engine/engine-types.ts';
import { NOW } from './sample-snapshot.ts';

export interface TestScreen {
  readonly terminal: Terminal;
  readonly ended: Promise<void>;
  /** The visible text, without trailing spaces. */
  text(): string;
  /** Presses keys: the bytes that a terminal sends. After a lone escape, wait for its effect. */
  press(...keys: readonly string[]): void;
  /** Waits until the screen shows a text (or matches), and returns all of it. */
  until(expected: string | RegExp): Promise<string>;
  /** Waits until the screen does not show it any longer. */
  untilGone(unexpected: string): Promise<string>;
  resize(columns: number, rows: number): void;
  /** Everything written so far, escape sequences included, with a visible character for escape. */
  written(): string;
  close(): Promise<void>;
}

export interface ScreenOptions extends Partial<Omit<TUIOptions, 'engine' | 'stdin' | 'stdout'>> {
  readonly engine: Engine;
  readonly columns?: number;
  readonly rows?: number;
}

/** The keys as a terminal sends them. */
export const KEYS = {
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  home: '\u001b[H',
  end: '\u001b[F',
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  backspace: '\u007f',
  ctrlB: '\u0002',
  ctrlC: '\u0003',
  ctrlF: '\u0006',
} as const;

/** Runs the real TUI on a terminal emulator. */
export function openScreen({ columns = 80, rows = 24, ...options }: ScreenOptions): TestScreen {
  const terminal = createTerminal(columns, rows);
  const output = createTerminalOutput(terminal);
  const input = createTerminalInput();
  const ended = runTUI({
    repository: { name: 'acme/measure', url: 'https://github.com/acme/measure' },
    openURL: async () => {},
    copyText: async () => 'Copied',
    now: () => NOW,
    ...options,
    stdin: input,
    stdout: output,
  });
  let failure: unknown = null;
  ended.catch((error: unknown) => {
    failure = error;
  });

  const text = () => {
    if (failure !== null) throw new Error('The screen broke.', { cause: failure });
    return visibleText(terminal);
  };
  async function until(expected: string | RegExp): Promise<string> {
    const isThere = () => (typeof expected === 'string' ? text().includes(expected) : expected.test(text()));
    await waitFor(isThere, () => `The screen never showed ${String(expected)}:\n${text()}`);
    return text();
  }

  return {
    terminal,
    ended,
    text,
    until,
    untilGone: async (unexpected) => {
      await waitFor(
        () => !text().includes(unexpected),
        () => `The screen still shows ${unexpected}:\n${text()}`,
      );
      return text();
    },
    press: (...keys) => {
      for (const key of keys) input.push(key);
    },
    resize: (newColumns, newRows) => {
      terminal.resize(newColumns, newRows);
      Object.assign(output, { columns: newColumns, rows: newRows });
      output.emit('resize');
    },
    written: () => output.written.join('').replaceAll('\u001b', '␛'),
    close: async () => {
      let isEnded = false;
      const closed = ended.then(noop, noop).then(() => {
        isEnded = true;
      });
      while (!isEnded) {
        input.push(KEYS.ctrlC);
        await Promise.race([closed, pause()]);
      }
      await new Promise<void>((resolve) => terminal.write('', resolve));
    },
  };
}

async function waitFor(isTrue: () => boolean, describe: () => string): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error(describe());
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 15));
}

function noop(): void {}

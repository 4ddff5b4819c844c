import type { Terminal } from './terminal/terminal.ts';

/** What every command gets. */
export interface Context {
  readonly terminal: Terminal;
  readonly cwd: string;
  /** `--debug`: stack traces, and the engine's log on standard error. */
  readonly isDebugging: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

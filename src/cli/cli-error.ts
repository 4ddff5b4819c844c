import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

/** What a person is told: one line about what happened, one about what to do. */
export class CLIError extends Error {
  override readonly name = 'CLIError';
  readonly advice: string;
  readonly exitCode: ExitCode;

  constructor(what: string, advice: string, options: { exitCode?: ExitCode; cause?: unknown } = {}) {
    super(what, { cause: options.cause });
    this.advice = advice;
    this.exitCode = options.exitCode ?? EXIT.failed;
  }
}

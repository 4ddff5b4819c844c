import { ConfigError } from '../config/config-error.ts';
import { CLIError } from './cli-error.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

export interface Explanation {
  readonly what: string;
  readonly advice: string;
  readonly exitCode: ExitCode;
}

/** One line what, one line what to do, for whatever was thrown. */
export function explainError(error: unknown): Explanation {
  if (error instanceof CLIError) return { what: error.message, advice: error.advice, exitCode: error.exitCode };
  if (error instanceof ConfigError) {
    const advice = 'docs/configuration.md lists every setting; `decree doctor` checks the whole set-up.';
    return { what: error.message, advice, exitCode: EXIT.usage };
  }
  const what = error instanceof Error ? error.message : String(error);
  return { what, advice: ADVICE.get(nameOf(error)) ?? UNKNOWN, exitCode: EXIT.failed };
}

const UNKNOWN = 'Run it again with --debug to see where it comes from.';

/** By name, so that the modules of those errors are not loaded for their sake. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['ProviderError', '`decree doctor` checks the credentials and each permission.'],
  ['JournalError', '`decree doctor` looks at the disk and the journal.'],
  ['AgentDefinitionError', '`decree init` writes the definitions that are missing.'],
]);

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

import { readFile } from 'node:fs/promises';
import { CommanderError } from 'commander';
import { processEnvironment } from '../config/process-environment.ts';
import { createProgram } from './create-program.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { explainError } from './explain-error.ts';
import { redactSecrets } from './redact-secrets.ts';
import { plainText } from './terminal/plain-text.ts';
import type { Terminal } from './terminal/terminal.ts';
import { createTerminal } from './terminal/terminal.ts';

/** Runs one command line. Never rejects; resolves to the exit code. */
export async function runCLI(args: readonly string[]): Promise<ExitCode> {
  const terminal = createTerminal();
  const isDebugging = args.includes('--debug');
  hideWarnings(isDebugging);
  try {
    const program = createProgram(await readVersion(), (debug) => ({
      terminal,
      cwd: process.cwd(),
      isDebugging: debug,
      environment: processEnvironment(),
    }));
    await program.command.parseAsync(args, { from: 'user' });
    return program.exitCode();
  } catch (error) {
    // Commander has already printed the help, the version or what is wrong with the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return report(error, terminal, isDebugging);
  }
}

function report(error: unknown, { note }: Terminal, isDebugging: boolean): ExitCode {
  const { what, advice, exitCode } = explainError(error);
  note(redactSecrets(plainText(`decree: ${what}\n        ${advice}`)));
  if (isDebugging) note(redactSecrets(stackOf(error)));
  return exitCode;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** Node remarks on configuration files without `"type": "module"` beside them; that is nobody's mistake. */
function hideWarnings(isDebugging: boolean): void {
  if (isDebugging) return;
  process.removeAllListeners('warning');
  process.on('warning', () => undefined);
}

/** Without zod: it alone takes longer to load than everything else that `--version` and `--help` need. */
async function readVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  if (isManifest && typeof manifest.version === 'string') return manifest.version;
  throw new Error('The package.json of decree names no version. Install decree again.');
}

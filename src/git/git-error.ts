/** Git failed, or could not be started. Neither the message nor the fields hold a credential. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly args: readonly string[];
  /** Null if git was ended by a signal or never started. */
  readonly exitCode: number | null;
  /** The end of what git wrote to stderr. */
  readonly stderr: string;

  constructor(
    outcome: string,
    details: { args: readonly string[]; exitCode: number | null; stderr: string; cause?: unknown },
  ) {
    const args = details.args.map(withoutCredentials);
    super(`git ${args.join(' ')} ${outcome}`, { cause: details.cause });
    this.args = args;
    this.exitCode = details.exitCode;
    this.stderr = withoutCredentials(details.stderr);
  }
}

export function gitFailed(args: readonly string[], exitCode: number | null, stderr: string): GitError {
  const outcome = exitCode === null ? 'was ended by a signal' : `failed with exit code ${exitCode}`;
  const words = stderr === '' ? 'it gave no reason' : withoutCredentials(stderr);
  const advice = UNWRITTEN.test(stderr) ? '\nIs the disk full? Make room and try again.' : '';
  return new GitError(`${outcome}: ${words}${advice}`, { args, exitCode, stderr });
}

/** Git rarely says why it could not write. */
const UNWRITTEN = /no space left|file too large|quota exceeded|write error|(unable|failed) to write/i;

/** There is no git, or no such folder to start it in. */
export function gitNotStarted(args: readonly string[], cwd: string, cause: Error): GitError {
  const isMissing = 'code' in cause && cause.code === 'ENOENT';
  const reason = isMissing ? `check that git is installed and on the PATH, and that ${cwd} exists` : cause.message;
  return new GitError(`could not be started: ${reason}`, { args, exitCode: null, stderr: '', cause });
}

/** Replaces user and password in URLs, and the value of Authorization headers. */
function withoutCredentials(text: string): string {
  return text
    .replace(/(?<=[a-z][a-z0-9+.-]*:\/\/)[^/\s@]+@/gi, '***@')
    .replace(/(authorization:\s*)(?:(?:basic|bearer|token)\s+)?\S+/gi, '$1***');
}

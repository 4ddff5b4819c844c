import { ProviderError } from '../../../domain/provider-error.ts';
import { GitError } from '../../../git/git-error.ts';

/**
 * Why git could not fetch. What the forge or the way to it is to blame for becomes a ProviderError, which whoever asked
 * waits out; anything else (no git, a full disk, a damaged clone) stays what it is.
 */
export function fetchFailure(error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  const { stderr, message } = error;
  if (REFUSED.test(stderr)) return new ProviderError('unauthorized', message, { cause: error });
  return UNREACHABLE.test(stderr) ? new ProviderError('unavailable', message, { cause: error }) : error;
}

/** GitHub answers "not found" to those who may not know that a repository exists. */
const REFUSED =
  /authentication failed|could not read (username|password)|returned error: (401|403|404)|repository '.*' not found/i;

const UNREACHABLE =
  /unable to access|rpc failed|hung up|early eof|unexpected disconnect|returned error: \d|couldn't connect|could not resolve|expected flush|expected 'packfile'|invalid server response|bad line length|info\/refs not valid/i;

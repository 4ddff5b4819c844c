import { ProviderError } from './provider-error.ts';

/**
 * The configured default branch is not on the forge: it was renamed or deleted, or the configuration is wrong. For work
 * that can wait until it is put back, the kind is `unavailable`.
 */
export function defaultBranchMissing(
  branch: string,
  kind: 'not-found' | 'unavailable',
  cause?: unknown,
): ProviderError {
  const message =
    `The forge has no branch '${branch}'. If it was renamed, set specPoller.defaultBranch to its new name and start ` +
    'decree again; if it was deleted, push it again. `decree doctor` tells which branch the forge calls its default.';
  return new ProviderError(kind, message, { cause });
}

import { PatchError } from '../domain/provider-error.ts';
import type { FileMode } from './file-patch.ts';

/**
 * A file before the patch. The name of its blob is enough where the patch holds the whole old content or does not
 * depend on it; `needsOldContent` tells.
 */
export type OldFile =
  { readonly mode: FileMode; readonly content: Uint8Array } | { readonly mode: FileMode; readonly sha: string };

export type FileResult = WrittenFile | DeletedFile;

export interface WrittenFile {
  readonly kind: 'written';
  readonly path: string;
  readonly mode: FileMode;
  /** The name of its blob. */
  readonly sha: string;
  /** Null if the content stays and the old file was given by the name of its blob. */
  readonly content: Buffer | null;
}

interface DeletedFile {
  readonly kind: 'deleted';
  readonly path: string;
}

export function conflict(path: string, reason: string): PatchError {
  return new PatchError('conflict', `The patch does not fit ${path}: ${reason}`, { paths: [path] });
}

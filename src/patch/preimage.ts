import { blobSHA, isBlob, isFullSHA } from './blob-sha.ts';
import type { FilePatch } from './file-patch.ts';
import type { OldFile } from './file-result.ts';
import { hunkImages } from './hunk-images.ts';

/** What a change starts from. */
export interface Preimage {
  /** Null if it is known by name only and the patch does not hold it. */
  readonly content: Buffer | null;
  /** Whether it is the blob that the patch was made from. Null if the patch does not say which that was. */
  readonly isAsExpected: boolean | null;
}

export function preimageOf(file: FilePatch, old: OldFile | null): Preimage {
  if (old === null) return { content: EMPTY, isAsExpected: true };
  if ('content' in old) {
    const content = Buffer.from(old.content.buffer, old.content.byteOffset, old.content.byteLength);
    return { content, isAsExpected: file.oldSHA === null ? null : isBlob(content, file.oldSHA) };
  }
  const isEmpty = old.sha === blobSHA(EMPTY, old.sha.length);
  return {
    content: isEmpty ? EMPTY : wholeOldContent(file, old.sha),
    isAsExpected: file.oldSHA === null ? null : old.sha.startsWith(file.oldSHA),
  };
}

/** Whether the old file must be given with its content: the patch neither holds all of it nor can do without. */
export function needsOldContent(file: FilePatch): boolean {
  if (file.kind === 'create' || file.change === null) return false;
  if (file.change.kind === 'binary') return file.change.method === 'delta' && file.kind !== 'delete';
  return !isFullSHA(file.oldSHA) || wholeOldContent(file, file.oldSHA) === null;
}

/** The old content out of a patch with full context. That it is all of it shows in its SHA. */
function wholeOldContent({ change }: FilePatch, sha: string): Buffer | null {
  const [hunk, ...others] = change?.kind === 'text' ? change.hunks : [];
  if (hunk === undefined || others.length > 0 || hunk.oldStart > 1) return null;
  const { before } = hunkImages(hunk);
  return isBlob(before, sha) ? before : null;
}

const EMPTY = Buffer.alloc(0);

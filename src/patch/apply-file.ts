import { PatchError } from '../domain/provider-error.ts';
import { applyBinaryChange } from './apply-binary-change.ts';
import { applyHunks } from './apply-hunks.ts';
import { blobSHA, isFullSHA } from './blob-sha.ts';
import { checkPublishable } from './check-publishable.ts';
import type { FilePatch, TextChange } from './file-patch.ts';
import { conflict, type OldFile, type WrittenFile } from './file-result.ts';
import { preimageOf, type Preimage } from './preimage.ts';
import { searchHunks } from './search-hunks.ts';

export interface ApplyOptions {
  /** Refuse a file that is not byte for byte what the patch was made from, where git would look for a new place. */
  readonly exact?: boolean;
  /** Names of blobs that others have published: a Git LFS pointer among them is not new. */
  readonly knownBlobs?: ReadonlySet<string>;
}

/** Applies one file's part of a patch. Null if the file is deleted. */
export function applyFile(file: FilePatch, old: OldFile | null, options: ApplyOptions): WrittenFile | null {
  const path = file.newPath ?? file.oldPath ?? '';
  if (old !== null && file.oldMode !== null && isLink(old.mode) !== isLink(file.oldMode)) {
    throw conflict(path, 'it is a link where a file was expected, or the other way round.');
  }
  const preimage = preimageOf(file, old);
  const content = applyChange(path, file, preimage, options);
  if (file.kind === 'delete') {
    if (content === null || content.length > 0) throw conflict(path, 'the deletion would leave content behind.');
    return null;
  }
  const sha =
    content === null && old !== null && 'sha' in old ? old.sha : blobSHA(content ?? EMPTY, file.newSHA?.length);
  if (preimage.isAsExpected === true && file.newSHA !== null && !sha.startsWith(file.newSHA)) {
    const message = `Applying the patch to ${path} gives ${sha}, but the patch promises ${file.newSHA}. It is damaged.`;
    throw new PatchError('mismatch', message, { paths: [path] });
  }
  if (file.change !== null && content !== null) checkPublishable(path, content, options.knownBlobs?.has(sha) ?? false);
  return { kind: 'written', path, mode: file.newMode ?? old?.mode ?? '100644', sha, content };
}

function applyChange(path: string, file: FilePatch, preimage: Preimage, options: ApplyOptions): Buffer | null {
  const { change, oldSHA, newSHA } = file;
  if (change === null) return preimage.content;
  if (preimage.isAsExpected === false && (options.exact === true || change.kind === 'binary')) {
    throw conflict(path, `it is not ${oldSHA} (any more), which the patch was made from.`);
  }
  if (change.kind === 'text') return applyTextChange(path, change, preimage, options);
  if (!isFullSHA(oldSHA) || !isFullSHA(newSHA)) {
    const message = `The binary change of ${path} lacks the full names of its blobs. Use \`git diff --full-index\`.`;
    throw new PatchError('malformed', message, { paths: [path] });
  }
  return file.kind === 'delete' ? EMPTY : applyBinaryChange(path, change, preimage.content);
}

function applyTextChange(path: string, change: TextChange, preimage: Preimage, options: ApplyOptions): Buffer {
  const { content, isAsExpected } = preimage;
  if (content === null) throw conflict(path, 'the patch does not hold its old content, and nothing else gave it.');
  if (isAsExpected === true) {
    const applied = applyHunks(content, change.hunks);
    if (applied !== null) return applied;
    throw new PatchError('malformed', `The change of ${path} does not fit the very file it was made from.`, {
      paths: [path],
    });
  }
  const applied = options.exact === true ? applyHunks(content, change.hunks) : searchHunks(content, change.hunks);
  if (applied === null) throw conflict(path, 'the lines that it changes are not there.');
  return applied;
}

function isLink(mode: string): boolean {
  return mode === '120000';
}

const EMPTY = Buffer.alloc(0);

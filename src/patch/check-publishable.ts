import { PatchError } from '../domain/provider-error.ts';
import { MAX_FILE_BYTES } from './limits.ts';

const LFS_POINTER = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v\d+\n(?:[^\n]*\n)*oid /;
/** By the specification of Git LFS. */
const LFS_POINTER_BYTES = 1024;

/** Throws for new content that the forge cannot hold, or that would point to something nobody has uploaded. */
export function checkPublishable(path: string, content: Buffer, isKnown: boolean): void {
  if (content.length > MAX_FILE_BYTES) {
    const message = `${path} has ${content.length} bytes; the forge takes at most ${MAX_FILE_BYTES}.`;
    throw new PatchError('refused', message, { paths: [path] });
  }
  if (!isKnown && content.length < LFS_POINTER_BYTES && LFS_POINTER.test(content.toString('latin1'))) {
    const message = `${path} is a new Git LFS pointer. Its content would be missing: decree uploads none to LFS.`;
    throw new PatchError('refused', message, { paths: [path] });
  }
}

import { createHash } from 'node:crypto';

const SHA256_LENGTH = 64;
const SHA1_LENGTH = 40;

/** The name that git gives this content. `length` is that of the hash in hex: 40, or 64 in SHA-256 repositories. */
export function blobSHA(content: Uint8Array, length = SHA1_LENGTH): string {
  const hash = createHash(length === SHA256_LENGTH ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.byteLength}\0`).update(content).digest('hex');
}

export function isFullSHA(sha: string | null): sha is string {
  return sha !== null && (sha.length === SHA1_LENGTH || sha.length === SHA256_LENGTH);
}

/** Whether content is the blob that an `index` line names, in full or abbreviated. */
export function isBlob(content: Uint8Array, sha: string): boolean {
  return blobSHA(content, sha.length > SHA1_LENGTH ? SHA256_LENGTH : SHA1_LENGTH).startsWith(sha);
}

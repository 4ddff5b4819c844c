import { PatchError } from '../domain/provider-error.ts';
import { MAX_PATH_BYTES } from './limits.ts';
import type { LineReader } from './line-reader.ts';

/** Code points that HFS+ ignores in names, so that `.g<U+200C>it` opens `.git` there. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** What NTFS takes for `.git`: upper case, trailing dots and spaces, streams, and its short name. */
const NTFS_DOT_GIT = /^(?:\.git|git~1)[ .]*(?::.*)?$/is;

/**
 * Turns the bytes of a name (one a character) into a path, under git's own rules for what may be in a tree, with its
 * protections for macOS and Windows both on: whoever checks the branch out may use either.
 */
export function checkPath(bytes: string, reader: LineReader): string {
  if (bytes.length > MAX_PATH_BYTES) throw reader.malformed('a file name is too long.');
  const path = decode(bytes, reader);
  const isUnsafe = path === '' || path.includes('\0') || path.split('/').some(isUnsafePart);
  if (isUnsafe) throw reader.malformed(`${JSON.stringify(path)} is not a path inside the repository.`);
  return path;
}

function decode(bytes: string, reader: LineReader): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch (cause) {
    const message = `Line ${reader.line} of the patch: the file name is not UTF-8, which the forge's API cannot carry.`;
    throw new PatchError('refused', `${message} Rename the file.`, { cause });
  }
}

/** An empty part stands for an absolute path, a doubled slash or a trailing one. */
function isUnsafePart(part: string): boolean {
  return part === '' || part === '.' || part === '..' || part.split('\\').some(isDotGit);
}

function isDotGit(name: string): boolean {
  return NTFS_DOT_GIT.test(name) || name.replace(HFS_IGNORED, '').toLowerCase() === '.git';
}

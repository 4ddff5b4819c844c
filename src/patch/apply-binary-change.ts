import { inflateSync } from 'node:zlib';
import { PatchError } from '../domain/provider-error.ts';
import { applyDelta } from './apply-delta.ts';
import type { BinaryChange } from './file-patch.ts';
import { conflict } from './file-result.ts';

/** `old` is needed for deltas only. */
export function applyBinaryChange(path: string, change: BinaryChange, old: Buffer | null): Buffer {
  const data = inflate(path, change);
  if (change.method === 'literal') return data;
  if (old === null) throw conflict(path, 'the patch changes its old content, and nothing gave that.');
  const result = applyDelta(old, data);
  if (result === null) throw malformed(path, 'its delta is damaged');
  return result;
}

function inflate(path: string, { deflated, size }: BinaryChange): Buffer {
  let data: Buffer;
  try {
    // Zlib wants room for at least one byte; more than announced is an error, so that nothing can blow up.
    data = inflateSync(deflated, { maxOutputLength: size + 1 });
  } catch (cause) {
    throw malformed(path, 'its data cannot be inflated', cause);
  }
  if (data.length !== size) throw malformed(path, `it has ${data.length} bytes, not ${size}`);
  return data;
}

function malformed(path: string, reason: string, cause?: unknown): PatchError {
  return new PatchError('malformed', `The binary change of ${path} is damaged: ${reason}.`, { paths: [path], cause });
}

import { PatchError } from '../domain/provider-error.ts';
import { applyFile, type ApplyOptions } from './apply-file.ts';
import type { FilePatch, ParsedPatch } from './file-patch.ts';
import { conflict, type FileResult, type OldFile } from './file-result.ts';
import { MAX_TOTAL_BYTES } from './limits.ts';
import { parsePatch } from './parse-patch.ts';

/** Null: there is no such file. Asked for the paths of the patch and for the folders above new files. */
export type ReadOld = (path: string) => OldFile | null;

/**
 * Applies a patch to the files that `readOld` returns, with the result of `git apply`: all or nothing, each path once.
 * Pure, in linear time. Throws a PatchError: `conflict` if a file is not as the patch expects it, `mismatch` if a
 * result is not the blob that the patch names, `malformed` and `refused` as `parsePatch` does.
 */
export function applyPatch(
  patch: ParsedPatch | string | Uint8Array,
  readOld: ReadOld,
  options: ApplyOptions = {},
): FileResult[] {
  const { files } = typeof patch === 'string' || patch instanceof Uint8Array ? parsePatch(patch) : patch;
  const leaving = new Set(files.filter(removesOld).map(({ oldPath }) => oldPath));
  // A file that only moves is a deletion and a creation where git was told not to look for renames.
  const knownBlobs = new Set([...files.map(({ oldSHA }) => oldSHA ?? ''), ...(options.knownBlobs ?? [])]);
  const results = new Map<string, FileResult>();
  let totalBytes = 0;
  for (const file of files) {
    const written = applyFile(file, sourceOf(file, results, readOld), { ...options, knownBlobs });
    if (removesOld(file)) removePath(file, results);
    if (written === null) continue;
    const earlier = results.get(written.path);
    const isThere =
      earlier === undefined ? !leaving.has(written.path) && readOld(written.path) !== null : earlier.kind === 'written';
    if (file.kind !== 'modify' && isThere) throw conflict(written.path, 'a file of that name exists already.');
    totalBytes += written.content?.length ?? 0;
    if (totalBytes > MAX_TOTAL_BYTES) throw new PatchError('refused', 'The files of the patch are too large together.');
    results.set(written.path, written);
  }
  checkFolders(results, readOld);
  return [...results.values()];
}

function removesOld(file: FilePatch): file is FilePatch & { oldPath: string } {
  return file.kind === 'delete' || file.kind === 'rename';
}

/** Renames and copies start from the file before the whole patch, other changes from what it has made of it so far. */
function sourceOf(
  { kind, oldPath }: FilePatch,
  results: ReadonlyMap<string, FileResult>,
  readOld: ReadOld,
): OldFile | null {
  if (oldPath === null) return null;
  const earlier = kind === 'rename' || kind === 'copy' ? undefined : results.get(oldPath);
  if (earlier?.kind === 'written') {
    const { mode, sha, content } = earlier;
    return content === null ? { mode, sha } : { mode, content };
  }
  const old = earlier === undefined ? readOld(oldPath) : null;
  if (old === null) throw conflict(oldPath, 'there is no such file (any more).');
  return old;
}

/** A path that another part of the patch has written to stays: two files may swap their names. */
function removePath({ kind, oldPath }: FilePatch & { oldPath: string }, results: Map<string, FileResult>): void {
  if (kind === 'rename' && results.get(oldPath)?.kind === 'written') return;
  results.set(oldPath, { kind: 'deleted', path: oldPath });
}

/** No path may lead through a file or a link. */
function checkFolders(results: ReadonlyMap<string, FileResult>, readOld: ReadOld): void {
  const checked = new Set<string>();
  for (const { kind, path } of results.values()) {
    if (kind === 'deleted') continue;
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      if (checked.has(folder)) break;
      checked.add(folder);
      const result = results.get(folder);
      const isFile = result === undefined ? readOld(folder) !== null : result.kind === 'written';
      if (isFile) throw conflict(path, `${folder} is a file, not a folder.`);
    }
  }
}

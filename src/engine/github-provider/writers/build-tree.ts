import { isUtf8 } from 'node:buffer';
import { PatchError } from '../../../domain/provider-error.ts';
import type { FileResult, WrittenFile } from '../../../patch/file-result.ts';
import type { NewTreeEntry } from '../github-client/types.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import type { GitObjects } from './git-objects.ts';

/** GitHub fails from about 200 entries or 2.5 MB on. */
const MAX_ENTRIES = 100;
const MAX_INLINE_BYTES = 1024 * 1024;

const UPLOADS_AT_ONCE = 4;

/** Writes the results on top of a tree, call by call, and returns the new tree's SHA. */
export async function buildTree(objects: GitObjects, base: string, results: readonly FileResult[]): Promise<string> {
  await uploadBlobs(objects, results);
  let tree = base;
  for (const chunk of chunkResults(results)) tree = await objects.createTree(tree, chunk.map(toEntry));
  return tree;
}

/**
 * Splits results into calls. Deletions come first, and in calls of their own if a file takes the place of a folder or
 * the other way round: one call cannot say both.
 */
function chunkResults(results: readonly FileResult[]): FileResult[][] {
  const deleted = results.filter(({ kind }) => kind === 'deleted');
  const written = results.filter(({ kind }) => kind === 'written');
  if (hasSwappedFolder(deleted, written)) return [...split(deleted), ...split(written)];
  return split([...deleted, ...written]);
}

function split(results: readonly FileResult[]): FileResult[][] {
  const chunks: FileResult[][] = [];
  let chunk: FileResult[] = [];
  let inlineBytes = 0;
  for (const result of results) {
    const bytes = isInline(result) ? result.content.length : 0;
    if (chunk.length === MAX_ENTRIES || (inlineBytes + bytes > MAX_INLINE_BYTES && chunk.length > 0)) {
      chunks.push(chunk);
      chunk = [];
      inlineBytes = 0;
    }
    chunk.push(result);
    inlineBytes += bytes;
  }
  return chunk.length === 0 ? chunks : [...chunks, chunk];
}

function hasSwappedFolder(deleted: readonly FileResult[], written: readonly FileResult[]): boolean {
  const isAbove = (above: readonly FileResult[], below: readonly FileResult[]) => {
    const paths = new Set(above.map(({ path }) => path));
    return below.some(({ path }) => foldersOf(path).some((folder) => paths.has(folder)));
  };
  return isAbove(deleted, written) || isAbove(written, deleted);
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Text travels in the tree itself. An empty one does not: an empty string there may pass for no content at all. */
function isInline(result: FileResult): result is WrittenFile & { content: Buffer } {
  if (result.kind === 'deleted' || result.content === null) return false;
  const { content } = result;
  return content.length > 0 && content.length <= MAX_INLINE_BYTES && isUtf8(content) && !content.includes(0);
}

function toEntry(result: FileResult): NewTreeEntry {
  const { path } = result;
  if (result.kind === 'deleted') return { path, mode: '100644', type: 'blob', sha: null };
  const { mode, sha } = result;
  return isInline(result)
    ? { path, mode, type: 'blob', content: result.content.toString('utf8') }
    : { path, mode, type: 'blob', sha };
}

async function uploadBlobs(objects: GitObjects, results: readonly FileResult[]): Promise<void> {
  const blobs = new Map<string, Buffer>();
  for (const result of results) {
    if (result.kind === 'written' && result.content !== null && !isInline(result))
      blobs.set(result.sha, result.content);
  }
  await mapConcurrently([...blobs], UPLOADS_AT_ONCE, async ([sha, content]) => {
    const stored = await objects.createBlob(content);
    if (stored === sha) return;
    const paths = results.filter((result) => result.kind === 'written' && result.sha === sha).map(({ path }) => path);
    throw new PatchError('mismatch', `The forge stored ${paths[0]} as ${stored}, but it is ${sha}.`, { paths });
  });
}

import type { ReadOld } from '../../../patch/apply-patch.ts';
import { isFullSHA } from '../../../patch/blob-sha.ts';
import type { FileMode, FilePatch } from '../../../patch/file-patch.ts';
import { conflict, type FileResult } from '../../../patch/file-result.ts';
import { needsOldContent } from '../../../patch/preimage.ts';
import type { TreeEntryData } from '../github-client/answers.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import type { GitObjects } from './git-objects.ts';

const READS_AT_ONCE = 4;

/** The files that a patch starts from, as far as it depends on them. */
export interface OldFiles {
  readonly read: ReadOld;
  /** Throws a conflict if a new file would take the place of a folder in which files remain. */
  checkFolders(results: readonly FileResult[]): void;
}

/**
 * With `isVerified` the tree that comes out will be compared with the one it has to be; then the patch is believed
 * about what it starts from, and a patch with full context costs no request at all.
 */
export async function readOldFiles(
  objects: GitObjects,
  files: readonly FilePatch[],
  treeSHA: string,
  isVerified: boolean,
): Promise<OldFiles> {
  const named = isVerified ? namedFiles(files) : null;
  const entries = named ?? (await readEntries(objects, files, treeSHA));
  const contents = await readContents(objects, files, entries);
  return {
    read: (path) => {
      const entry = entries.get(path);
      if (entry === undefined || entry.isFolder) return null;
      const content = contents.get(entry.sha);
      return content === undefined ? { mode: entry.mode, sha: entry.sha } : { mode: entry.mode, content };
    },
    checkFolders: (results) => checkFolders(entries, results),
  };
}

/** What a patch owes to the commit that its work was merged with: the work of others, not its own to answer for. */
export interface MergedWork {
  /** The parts of the patch that are not simply what that commit says. */
  readonly own: readonly FilePatch[];
  readonly blobs: ReadonlySet<string>;
}

export async function readMergedWork(
  objects: GitObjects,
  files: readonly FilePatch[],
  mergeSHA: string | undefined,
): Promise<MergedWork> {
  if (mergeSHA === undefined) return { own: files, blobs: new Set() };
  const { tree } = await objects.readCommit(mergeSHA);
  const entries = await readEntries(objects, files, tree);
  const own = files.filter(({ kind, oldPath, newPath, oldMode, newMode, newSHA }) => {
    const entry = entries.get(newPath ?? oldPath ?? '');
    if (kind === 'delete') return entry !== undefined;
    return kind === 'rename' || kind === 'copy' || entry?.sha !== newSHA || entry?.mode !== (newMode ?? oldMode);
  });
  return { own, blobs: new Set([...entries.values()].map(({ sha }) => sha)) };
}

interface Entry {
  readonly mode: FileMode;
  readonly sha: string;
  readonly isFolder: boolean;
}

/** What the patch itself says about its old files; null if it does not say enough, as with a pure rename. */
function namedFiles(files: readonly FilePatch[]): Map<string, Entry> | null {
  const entries = new Map<string, Entry>();
  for (const { oldPath, oldMode, oldSHA } of files) {
    if (oldPath === null) continue;
    if (oldMode === null || !isFullSHA(oldSHA)) return null;
    entries.set(oldPath, { mode: oldMode, sha: oldSHA, isFolder: false });
  }
  return entries;
}

async function readEntries(
  objects: GitObjects,
  files: readonly FilePatch[],
  treeSHA: string,
): Promise<Map<string, Entry>> {
  const { entries, isComplete } = await objects.readTree(treeSHA);
  if (isComplete) return new Map(entries.map((entry) => [entry.path, toEntry(entry)]));
  const found = new Map<string, Entry>();
  const opened = new Set<string>();
  const open = async (folder: string, sha: string) => {
    opened.add(folder);
    for (const entry of await objects.readFolder(sha)) found.set(folder + entry.path, toEntry(entry));
  };
  await open('', treeSHA);
  for (const path of files.flatMap(({ oldPath, newPath }) => [oldPath ?? '', newPath ?? ''])) {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const entry = found.get(path.slice(0, slash));
      if (entry?.isFolder !== true) break;
      if (!opened.has(path.slice(0, slash + 1))) await open(path.slice(0, slash + 1), entry.sha);
    }
  }
  return found;
}

/** A submodule counts as a file that no patch of ours can have been made from. */
function toEntry({ mode, type, sha }: TreeEntryData): Entry {
  return { mode: mode === '100755' || mode === '120000' ? mode : '100644', sha, isFolder: type === 'tree' };
}

/** By SHA. A file that has moved on is not read: it is a conflict whatever it holds. */
async function readContents(
  objects: GitObjects,
  files: readonly FilePatch[],
  entries: ReadonlyMap<string, Entry>,
): Promise<Map<string, Buffer>> {
  const wanted = new Set<string>();
  for (const file of files.filter(needsOldContent)) {
    const entry = entries.get(file.oldPath ?? '');
    if (entry !== undefined && !entry.isFolder && entry.sha.startsWith(file.oldSHA ?? '')) wanted.add(entry.sha);
  }
  const read = async (sha: string) => [sha, await objects.readBlob(sha)] as const;
  return new Map(await mapConcurrently([...wanted], READS_AT_ONCE, read));
}

function checkFolders(entries: ReadonlyMap<string, Entry>, results: readonly FileResult[]): void {
  const deleted = new Set(results.filter(({ kind }) => kind === 'deleted').map(({ path }) => path));
  const replaced = results.filter(({ kind, path }) => kind === 'written' && entries.get(path)?.isFolder === true);
  for (const { path } of replaced) {
    for (const [other, { isFolder }] of entries) {
      const remains = !isFolder && other.startsWith(`${path}/`) && !deleted.has(other);
      if (remains) throw conflict(path, `it is a folder that holds ${other}.`);
    }
  }
}

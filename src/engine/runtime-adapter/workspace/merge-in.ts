import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DecreeClone } from './decree-clone.ts';
import { putAside, type ConflictEntry } from './put-aside.ts';
import { readText } from './read-text.ts';
import type { Worktree } from './worktree.ts';

/** Another branch's work, merged into a worktree's files for its agent to finish. */
export interface MergedIn {
  /** What was merged: the second parent of the commit that the agent's work becomes. */
  readonly commit: string;
  /** The files as the merge left them. */
  readonly tree: string;
  /** Files with conflict markers. Names are kept byte for byte, one character each, here and below. */
  readonly marked: readonly string[];
  /** Versions of files that were put aside, to be taken or removed. */
  readonly aside: readonly string[];
  /** The commits on both sides, by which they are named in what is left. */
  readonly sides: Sides;
}

type Sides = readonly [ours: string, theirs: string];

/**
 * Merges a branch, as the forge has it now, into the files of a new worktree. Git merges what it can and leaves conflict
 * markers where it cannot. A conflict that markers cannot show (a binary file, a link, a file that one side deleted) would
 * be overlooked and one side silently lost: each side's version of such a file is put aside. Null if the worktree's start
 * already contains the branch.
 */
export async function mergeIn(
  clone: DecreeClone,
  { adminFolder, folder, start }: Worktree,
  branch: string,
  signal: AbortSignal,
): Promise<MergedIn | null> {
  const theirs = await clone.resolve(`refs/remotes/origin/${branch}`);
  if (theirs === null) return null;
  const base = await clone.text(['merge-base', '--all', start.commit, theirs.commit], { signal, exitCodes: [0, 1] });
  if (base === theirs.commit) return null;
  const args = ['merge-tree', '--write-tree', '--no-messages', '-z', start.commit, theirs.commit];
  const output = await clone.git(args, { signal, exitCodes: [0, 1] });
  const [merged = '', ...lines] = output.toString('latin1').split('\0').slice(0, -1);
  const entries = lines.map(parseEntry);
  const sides: Sides = [start.commit, theirs.commit];
  // The worktree's own HEAD and index: after this the merge shows as a change that is staged.
  const env = { GIT_DIR: adminFolder, GIT_INDEX_FILE: join(adminFolder, 'index') };
  const checkOut = (tree: string) => clone.git(['read-tree', '--reset', '-u', tree], { signal, env, worktree: folder });

  await checkOut(merged);
  const marked = await withMarkers(folder, new Set(entries.map(({ path }) => path)), sides);
  const unmarked = entries.filter(({ path }) => !marked.includes(path));
  const { tree, aside } = await putAside(clone, merged, unmarked, sides, signal);
  if (tree !== merged) await checkOut(tree);
  return { commit: theirs.commit, tree, marked, aside, sides };
}

/** Everything that was left for the agent to settle. */
export function conflictsIn({ marked, aside }: MergedIn): string[] {
  return [...marked, ...aside].map(readable);
}

/** What of it is still there. A file that was deleted is settled too. */
export async function unresolvedConflicts(folder: string, { marked, aside, sides }: MergedIn): Promise<string[]> {
  const unresolved = await withMarkers(folder, marked, sides);
  for (const name of aside) {
    if (await isThere(placeOf(folder, name))) unresolved.push(name);
  }
  return unresolved.map(readable);
}

function parseEntry(line: string): ConflictEntry {
  const [, mode = '', sha = '', stage = '', path = ''] = /^(\d+) (\w+) ([123])\t([^]*)$/.exec(line) ?? [];
  return { path, mode, sha, stage };
}

async function withMarkers(folder: string, names: Iterable<string>, sides: Sides): Promise<string[]> {
  const marked: string[] = [];
  for (const name of names) {
    const text = (await readText(placeOf(folder, name), 'latin1')) ?? '';
    if (sides.some((side) => hasMarker(text, side))) marked.push(name);
  }
  return marked;
}

/** Markers name the side, so that text about conflict markers is not taken for one. */
function hasMarker(text: string, side: string): boolean {
  return new RegExp(`^[<>]{7} ${side}`, 'm').test(text);
}

function placeOf(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
}

function readable(name: string): string {
  return Buffer.from(name, 'latin1').toString();
}

async function isThere(path: Buffer): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

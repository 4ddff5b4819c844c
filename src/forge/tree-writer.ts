import type { ObjectDatabase } from './object-database.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly sha: string;
}

/** What a path becomes; null removes it. */
export interface TreeChange {
  readonly path: string;
  readonly entry: { readonly mode: string; readonly sha: string } | null;
}

/** The wish cannot be carried out: the path does not exist, or is a file and a folder at once. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/** Writes `base` with the changes and returns the new tree's SHA, or null if nothing is left in it. */
export async function writeTree(
  objects: ObjectDatabase,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string | null> {
  const entries = new Map((await readTree(objects, base)).map((entry) => [entry.name, entry]));
  for (const [name, group] of byFirstComponent(changes)) {
    const old = entries.get(name);
    entries.delete(name);
    const entry = await changedEntry(objects, old, group);
    if (entry !== null) entries.set(name, { name, ...entry });
  }
  return entries.size === 0 ? null : objects.write('tree', serialize([...entries.values()]));
}

/** The entries of one tree. Names are kept byte for byte (as latin1), because git does not insist on UTF-8. */
export async function readTree(objects: ObjectDatabase, sha: string | null): Promise<TreeEntry[]> {
  if (sha === null) return [];
  const object = await objects.read(`${sha}^{tree}`);
  if (object === null) throw new TreeError(`tree ${sha} does not exist`);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < object.content.length;) {
    const space = object.content.indexOf(' ', at);
    const nul = object.content.indexOf('\0', space);
    entries.push({
      mode: object.content.toString('latin1', at, space).padStart(6, '0'),
      name: object.content.toString('latin1', space + 1, nul),
      sha: object.content.toString('hex', nul + 1, nul + 21),
    });
    at = nul + 21;
  }
  return entries;
}

export const isFolder = (entry: { readonly mode: string }): boolean => entry.mode === '040000';

async function changedEntry(
  objects: ObjectDatabase,
  old: TreeEntry | undefined,
  changes: readonly TreeChange[],
): Promise<{ mode: string; sha: string } | null> {
  const [leaf] = changes.filter((change) => change.path === '').slice(-1);
  if (leaf !== undefined) {
    if (changes.some((change) => change.path !== '')) throw new TreeError('a path is both a file and a folder');
    if (leaf.entry === null && old === undefined) throw new TreeError('a path to remove does not exist');
    return leaf.entry;
  }
  const folder = old !== undefined && isFolder(old) ? old.sha : null;
  const sha = await writeTree(objects, folder, changes);
  return sha === null ? null : { mode: '040000', sha };
}

function byFirstComponent(changes: readonly TreeChange[]): Map<string, TreeChange[]> {
  const groups = new Map<string, TreeChange[]>();
  for (const change of changes) {
    const [first = '', ...rest] = change.path.split('/');
    const group = groups.get(first) ?? [];
    group.push({ path: rest.join('/'), entry: change.entry });
    groups.set(first, group);
  }
  return groups;
}

/** Git sorts by bytes, a folder as if its name ended in a slash. */
function serialize(entries: readonly TreeEntry[]): Buffer {
  const key = (entry: TreeEntry): string => (isFolder(entry) ? `${entry.name}/` : entry.name);
  const sorted = entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap((entry) => [
      Buffer.from(`${entry.mode.replace(/^0/, '')} ${entry.name}\0`, 'latin1'),
      Buffer.from(entry.sha, 'hex'),
    ]),
  );
}

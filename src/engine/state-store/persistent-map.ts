/**
 * A map with string keys of which every version stays valid: `set` and `delete` return a new map that shares all
 * untouched parts with the old one. An update costs the same at 100 and at 10,000 entries, and two versions are
 * compared by walking only the parts that they do not share. A hash array mapped trie, five bits a level.
 * Iteration order is by hash: sort where order matters.
 */
export class PersistentMap<V> {
  readonly size: number;
  readonly #root: Node<V> | null;

  private constructor(root: Node<V> | null, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>(null, 0);
  }

  static from<V>(entries: Iterable<readonly [string, V]>): PersistentMap<V> {
    let map = PersistentMap.empty<V>();
    for (const [key, value] of entries) map = map.set(key, value);
    return map;
  }

  get(key: string): V | undefined {
    const hash = hashOf(key);
    let node = this.#root;
    for (let shift = 0; node !== null; shift += BITS) {
      if (node.kind === 'leaf') return node.hash === hash ? node.entries.find(([k]) => k === key)?.[1] : undefined;
      node = node.children[slotOf(hash, shift)] ?? null;
    }
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): PersistentMap<V> {
    const before = this.get(key);
    if (before !== undefined && Object.is(before, value)) return this;
    const root = insert(this.#root, 0, hashOf(key), key, value);
    return new PersistentMap(root, before === undefined ? this.size + 1 : this.size);
  }

  delete(key: string): PersistentMap<V> {
    if (!this.has(key) || this.#root === null) return this;
    return new PersistentMap(remove(this.#root, 0, hashOf(key), key), this.size - 1);
  }

  *entries(): IterableIterator<[string, V]> {
    if (this.#root !== null) yield* entriesOf(this.#root);
  }

  *keys(): IterableIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): IterableIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, V]> {
    return this.entries();
  }

  /** What differs between an earlier version and this one; `undefined` stands for absent. */
  changesSince(earlier: PersistentMap<V>): Change<V>[] {
    const changes: Change<V>[] = [];
    collectChanges(earlier.#root, this.#root, changes);
    return changes;
  }
}

export interface Change<V> {
  readonly key: string;
  readonly before: V | undefined;
  readonly after: V | undefined;
}

interface Leaf<V> {
  readonly kind: 'leaf';
  readonly hash: number;
  /** More than one only when two keys have the same hash. */
  readonly entries: readonly (readonly [string, V])[];
}

interface Branch<V> {
  readonly kind: 'branch';
  readonly children: readonly (Node<V> | null)[];
}

type Node<V> = Leaf<V> | Branch<V>;

const BITS = 5;
const WIDTH = 1 << BITS;

function slotOf(hash: number, shift: number): number {
  return (hash >>> shift) & (WIDTH - 1);
}

/** FNV-1a, 32 bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function insert<V>(node: Node<V> | null, shift: number, hash: number, key: string, value: V): Node<V> {
  if (node === null) return { kind: 'leaf', hash, entries: [[key, value]] };
  if (node.kind === 'branch') {
    const slot = slotOf(hash, shift);
    return {
      kind: 'branch',
      children: node.children.with(slot, insert(node.children[slot] ?? null, shift + BITS, hash, key, value)),
    };
  }
  if (node.hash === hash)
    return { kind: 'leaf', hash, entries: [...node.entries.filter(([k]) => k !== key), [key, value]] };
  const children = Array.from<unknown, Node<V> | null>({ length: WIDTH }, () => null);
  children[slotOf(node.hash, shift)] = node;
  return insert({ kind: 'branch', children }, shift, hash, key, value);
}

function remove<V>(node: Node<V>, shift: number, hash: number, key: string): Node<V> | null {
  if (node.kind === 'leaf') {
    const entries = node.entries.filter(([k]) => k !== key);
    return entries.length === 0 ? null : { kind: 'leaf', hash, entries };
  }
  const slot = slotOf(hash, shift);
  const child = node.children[slot];
  if (!child) return node;
  const children = node.children.with(slot, remove(child, shift + BITS, hash, key));
  const left = children.filter((c) => c !== null);
  const [only] = left;
  if (only === undefined) return null;
  return left.length === 1 && only.kind === 'leaf' ? only : { kind: 'branch', children };
}

function* entriesOf<V>(node: Node<V>): IterableIterator<[string, V]> {
  if (node.kind === 'leaf') {
    for (const [key, value] of node.entries) yield [key, value];
    return;
  }
  for (const child of node.children) if (child) yield* entriesOf(child);
}

function collectChanges<V>(before: Node<V> | null, after: Node<V> | null, changes: Change<V>[]): void {
  if (before === after) return;
  if (before?.kind === 'branch' && after?.kind === 'branch') {
    for (let slot = 0; slot < WIDTH; slot++) {
      collectChanges(before.children[slot] ?? null, after.children[slot] ?? null, changes);
    }
    return;
  }
  const old = new Map(before === null ? [] : entriesOf(before));
  const now = new Map(after === null ? [] : entriesOf(after));
  for (const [key, value] of old) {
    if (!Object.is(now.get(key), value)) changes.push({ key, before: value, after: now.get(key) });
  }
  for (const [key, value] of now) {
    if (!old.has(key)) changes.push({ key, before: undefined, after: value });
  }
}

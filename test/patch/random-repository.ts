import type { FileMode } from '../../src/patch/file-patch.ts';

export interface Entry {
  readonly mode: FileMode;
  readonly content: Buffer;
}

/** The files of a repository at one moment, by path. */
export type Snapshot = ReadonlyMap<string, Entry>;

export type Random = (below: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
}

export function randomSnapshot(random: Random): Snapshot {
  const files = new Map<string, Entry>();
  const count = 2 + random(10);
  for (let index = 0; index < count; index += 1) addFile(random, files);
  return files;
}

/** One to six edits of any kind, on top of each other. */
export function editSnapshot(random: Random, before: Snapshot): Snapshot {
  const files = new Map(before);
  const count = 1 + random(6);
  for (let index = 0; index < count; index += 1) pick(random, EDITS)(random, files);
  return files;
}

/**
 * What other people do meanwhile: changed lines, mostly above or below ours. Files that do not end in a newline are left
 * alone: `git apply` takes their last line for the beginning of any line like it, and glues the next one to it.
 */
export function driftSnapshot(random: Random, before: Snapshot): Snapshot {
  const files = new Map(before);
  const count = 1 + random(4);
  for (let index = 0; index < count; index += 1) {
    if (random(4) === 0) removeFile(random, files);
    else editLines(random, files, endsInNewline);
  }
  return files;
}

function endsInNewline({ content }: Entry): boolean {
  return content.at(-1) === 10;
}

/** One file of very few different lines, so that hunks have many places where they could fit; and two edits of it. */
export function repetitiveEdits(random: Random): { before: Snapshot; after: Snapshot; drifted: Snapshot } {
  const line = () => `${pick(random, ['a', 'b', 'c'])}\n`;
  const lines = Array.from({ length: 8 + random(40) }, line);
  const edited = (count: number) => {
    const copy = [...lines];
    for (let index = 0; index < count; index += 1) {
      copy.splice(random(copy.length), random(3), ...Array.from({ length: random(3) }, line));
    }
    return new Map([['x', { mode: '100644', content: Buffer.from(copy.join('')) }]] as const);
  };
  return { before: edited(0), after: edited(1 + random(3)), drifted: edited(1 + random(4)) };
}

type Edit = (random: Random, files: Map<string, Entry>) => void;

const EDITS: readonly Edit[] = [
  addFile,
  addFile,
  editLines,
  editLines,
  editLines,
  editBytes,
  replaceContent,
  toggleFinalNewline,
  removeFile,
  changeMode,
  renameFile,
  copyFile,
  swapFiles,
  changeType,
  fileBecomesFolder,
  folderBecomesFile,
];

const NAMES = [
  'a.txt',
  'b',
  'read me.md',
  'ünïcödé.txt',
  'tab\there',
  'line\nbreak',
  'quo"te',
  'back\\slash',
  '-dash',
  'diff --git a',
  ' lead and trail ',
  '日本.ts',
  'x b',
  '[glob]*?.c',
  '#hash',
  '!not',
  '.hidden',
  'CON',
  'dev',
  'null',
];

const FOLDERS = ['', '', '', 'src/', 'src/deep er/', 'b/', 'a b/', 'dev/', 'ö/'];

function randomPath(random: Random, files: ReadonlyMap<string, Entry>): string | null {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const path = pick(random, FOLDERS) + pick(random, NAMES) + (random(3) === 0 ? String(random(100)) : '');
    if (isFree(path, files)) return path;
  }
  return null;
}

function isFree(path: string, files: ReadonlyMap<string, Entry>): boolean {
  return [...files.keys()].every(
    (other) => other !== path && !other.startsWith(`${path}/`) && !path.startsWith(`${other}/`),
  );
}

function addFile(random: Random, files: Map<string, Entry>): void {
  const path = randomPath(random, files);
  if (path === null) return;
  if (random(8) === 0)
    files.set(path, { mode: '120000', content: Buffer.from(pick(random, ['a.txt', '../up', 'ö/é'])) });
  else files.set(path, { mode: random(5) === 0 ? '100755' : '100644', content: randomContent(random) });
}

function randomContent(random: Random): Buffer {
  switch (random(12)) {
    case 0:
      return Buffer.alloc(0);
    case 1:
      return Buffer.from('\n'.repeat(1 + random(3)));
    case 2:
      return randomBytes(random, 1 + random(3000));
    case 3:
      return Buffer.concat([Buffer.from('caf\xe9 na\xefve\n', 'latin1'), randomText(random)]);
    case 4:
      return Buffer.from(randomText(random).toString().replaceAll('\n', '\r\n'));
    default:
      return randomText(random);
  }
}

/** Few different lines, so that hunks have several places where they could fit. */
const LINES = [
  '',
  ' ',
  '{',
  '}',
  'one',
  'two',
  'three',
  '\tindented',
  '-- ',
  '--- a/x',
  '+++ b/x',
  '@@ -1 +1 @@',
  'ö 日本',
  '\\ No newline at end of file',
  'diff --git a/x b/x',
  '\u0000nul',
  'cr\r',
  '\ufeffbom',
  'x'.repeat(300),
];

function randomLine(random: Random): string {
  return random(3) === 0 ? `line ${random(1000)}` : pick(random, LINES);
}

function randomText(random: Random): Buffer {
  const lines = Array.from({ length: random(random(4) === 0 ? 200 : 25) }, () => randomLine(random));
  return Buffer.from(lines.join('\n') + (random(4) === 0 ? '' : '\n'));
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)));
}

function regularFiles(files: ReadonlyMap<string, Entry>): string[] {
  return [...files].filter(([, { mode }]) => mode !== '120000').map(([path]) => path);
}

/** Calls back with a random file, if there is one. */
function withFile(
  random: Random,
  paths: readonly string[],
  files: Map<string, Entry>,
  edit: (path: string, entry: Entry) => void,
): void {
  if (paths.length === 0) return;
  const path = pick(random, paths);
  const entry = files.get(path);
  if (entry !== undefined) edit(path, entry);
}

function editLines(
  random: Random,
  files: Map<string, Entry>,
  isEditable: (entry: Entry) => boolean = () => true,
): void {
  const paths = [...files].filter(([, entry]) => entry.mode !== '120000' && isEditable(entry)).map(([path]) => path);
  withFile(random, paths, files, (path, entry) => {
    const lines = entry.content.toString('latin1').split('\n');
    const count = 1 + random(3);
    for (let index = 0; index < count; index += 1) {
      const inserted = Array.from({ length: random(3) }, () => Buffer.from(randomLine(random)).toString('latin1'));
      lines.splice(random(lines.length + 1), random(3), ...inserted);
    }
    files.set(path, { ...entry, content: Buffer.from(lines.join('\n'), 'latin1') });
  });
}

function editBytes(random: Random, files: Map<string, Entry>): void {
  withFile(random, regularFiles(files), files, (path, entry) => {
    const content = Buffer.concat([entry.content, randomBytes(random, random(3))]);
    if (content.length > 0) content[random(content.length)] = random(256);
    files.set(path, { ...entry, content });
  });
}

function replaceContent(random: Random, files: Map<string, Entry>): void {
  withFile(random, regularFiles(files), files, (path, entry) =>
    files.set(path, { ...entry, content: randomContent(random) }),
  );
}

function toggleFinalNewline(random: Random, files: Map<string, Entry>): void {
  withFile(random, regularFiles(files), files, (path, entry) => {
    const { content } = entry;
    const changed = content.at(-1) === 10 ? content.subarray(0, -1) : Buffer.concat([content, Buffer.from('\n')]);
    files.set(path, { ...entry, content: changed });
  });
}

function removeFile(random: Random, files: Map<string, Entry>): void {
  if (files.size > 1) withFile(random, [...files.keys()], files, (path) => files.delete(path));
}

function changeMode(random: Random, files: Map<string, Entry>): void {
  withFile(random, regularFiles(files), files, (path, { mode, content }) =>
    files.set(path, { mode: mode === '100644' ? '100755' : '100644', content }),
  );
}

function renameFile(random: Random, files: Map<string, Entry>): void {
  withFile(random, [...files.keys()], files, (path, entry) => {
    const target = randomPath(random, files);
    if (target === null) return;
    files.delete(path);
    files.set(target, entry);
    if (random(2) === 0) editLines(random, files);
  });
}

function copyFile(random: Random, files: Map<string, Entry>): void {
  withFile(random, [...files.keys()], files, (_, entry) => {
    const target = randomPath(random, files);
    if (target !== null) files.set(target, entry);
  });
}

function swapFiles(random: Random, files: Map<string, Entry>): void {
  withFile(random, [...files.keys()], files, (left, leftEntry) =>
    withFile(random, [...files.keys()], files, (right, rightEntry) =>
      files.set(left, rightEntry).set(right, leftEntry),
    ),
  );
}

function changeType(random: Random, files: Map<string, Entry>): void {
  withFile(random, [...files.keys()], files, (path, { mode }) =>
    files.set(
      path,
      mode === '120000'
        ? { mode: '100644', content: randomContent(random) }
        : { mode: '120000', content: Buffer.from('b') },
    ),
  );
}

function fileBecomesFolder(random: Random, files: Map<string, Entry>): void {
  withFile(random, [...files.keys()], files, (path, entry) => {
    files.delete(path);
    files.set(`${path}/inner`, random(2) === 0 ? entry : { mode: '100644', content: randomContent(random) });
  });
}

function folderBecomesFile(random: Random, files: Map<string, Entry>): void {
  withFile(
    random,
    [...files.keys()].filter((path) => path.includes('/')),
    files,
    (path) => {
      const folder = path.slice(0, path.indexOf('/'));
      for (const other of files.keys()) if (other.startsWith(`${folder}/`)) files.delete(other);
      files.set(folder, { mode: '100644', content: randomContent(random) });
    },
  );
}

import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { hasGlob, INSIDE, isUnknown, NUMBER, segmentPattern, STREAM, TILDE } from './bash/field.ts';
import { isProtectedPath } from './protected-paths.ts';

/** Where a path leads after all links are resolved. */
export type Place = 'inside' | 'outside' | 'protected' | 'unknown';

/** The one folder that a run may touch. */
export interface Folder {
  /** Absolute, links resolved; a stand-in when the validator was given no root. */
  readonly root: string;
  /**
   * Where `path`, seen from the folder `base`, leads. Takes plain paths and fields of a shell command. Never throws:
   * what cannot be looked at is `unknown`.
   */
  place(base: string, path: string): Place;
  /** Whether a recursive search from here would come upon something that is off limits. Looks three levels deep. */
  protectedBelow(path: string): boolean;
  /** The absolute path of `path` seen from `base`, links resolved as far as they exist. */
  resolve(base: string, path: string): string;
}

/** Without a root nothing is read from disk: names are taken as they stand, and every absolute path is outside. */
export function createFolder(root: string | undefined): Folder {
  const real = root === undefined ? NO_ROOT : realRoot(root);
  const disk = root === undefined ? NO_DISK : DISK;
  let found: boolean | undefined;
  const hasProtected = (): boolean => (found ??= holdsProtected(disk, real, SEARCH_DEPTH));
  return {
    root: real,
    protectedBelow: (path) => holdsProtected(disk, isAbsolute(path) ? path : join(real, path), SEARCH_DEPTH),
    resolve: (base, path) => follow(disk, isAbsolute(path) ? sep : base, path.split(sep))[0] ?? base,
    place(base, path) {
      if (ALWAYS_OPEN.has(path) || path === STREAM) return 'inside';
      if (path.includes(STREAM) || isUnknown(path) || !isSettled(path)) return 'unknown';
      if (path.includes(TILDE)) return 'outside';
      const segments = path.split(sep);
      if (isListed(path) && hasProtected()) return 'protected';
      if (base.includes(INSIDE) && segments.includes('..')) return 'unknown';
      if (ODD_NAME.test(path)) return 'unknown';
      const patterns = segments.filter((segment) => hasGlob(segment)).map((segment) => segmentPattern(segment));
      if (patterns.some((pattern) => pattern.test('..'))) return 'outside';
      if (root === undefined && patterns.some((pattern) => HIDDEN.some((name) => pattern.test(name))))
        return 'protected';
      try {
        const ends = follow(disk, isAbsolute(path) ? sep : base, segments);
        if (ends.some((end) => !isWithin(real, end))) return 'outside';
        const named = [...ends.map((end) => relative(real, end).split(sep)), isAbsolute(path) ? [] : segments];
        return named.some((name) => isProtectedPath(name)) ? 'protected' : 'inside';
      } catch (error) {
        if (error instanceof Error) return 'unknown';
        throw error;
      }
    },
  };
}

/** Cannot be typed: commands with such a character are refused. */
const NO_ROOT = '/\uE0FF';
const ALWAYS_OPEN: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '-']);
/**
 * Names that turn into something else elsewhere: `x /etc/passwd` and what starts with a quote when a list of names is
 * read, what starts with a dash when `*` is an argument.
 */
const ODD_NAME = /(?:^|\/)(?:-\D|[\s"'\\])|\s(?:\/|$)/;
const HIDDEN = ['.env', '.git', '.decree', '.ssh'];
const SEARCH_DEPTH = 3;
const MOST_LINKS = 40;
const MOST_MATCHES = 5_000;

/** Some name that was found below the folder, which may be one that is off limits. */
function isListed(path: string): boolean {
  return path.includes(INSIDE) && !path.startsWith(INSIDE + sep);
}

/** `INSIDE` keeps its promise only as a whole path segment of its own: `.$f` may be `../x`, and `$f.` may be `..`. */
function isSettled(path: string): boolean {
  const at = path.indexOf(INSIDE);
  if (at === -1) return true;
  const before = path.slice(0, at);
  const after = path.slice(at + 1);
  // An extension is all that may stick to it: `.` is a name as well, and with `env` behind it another one.
  const isWhole = after === '' || after.startsWith(sep) || /^\.[A-Za-z][\w.-]*(?:\/|$)/.test(after);
  const climbs = path.split(sep).includes('..');
  return (before === '' || before.endsWith(sep)) && isWhole && !climbs && !after.includes(INSIDE);
}

/** Git's own data is left out: searches skip it, and in a worktree it is a single line. */
function holdsProtected(disk: Disk, folder: string, levels: number): boolean {
  const names = disk.entriesOf(folder).filter((name) => name !== '.git' && name !== 'node_modules');
  if (names.some((name) => isProtectedPath([name]))) return true;
  return levels > 1 && names.some((name) => holdsProtected(disk, join(folder, name), levels - 1));
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root === sep ? sep : root + sep);
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch (cause) {
    throw new Error(`Cannot guard the folder ${root}: it cannot be resolved. Does it exist?`, { cause });
  }
}

interface Disk {
  /** The target of a link, or null if there is no link at this path. */
  linkAt(path: string): string | null;
  entriesOf(path: string): readonly string[];
}

const NO_DISK: Disk = { linkAt: () => null, entriesOf: () => [] };

const DISK: Disk = {
  linkAt: (path) => (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : null),
  entriesOf: (path) => (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(path) : []),
};

/** All places to which the segments lead from `start`, the way the kernel walks: links first, then `..`. */
function follow(disk: Disk, start: string, segments: readonly string[]): string[] {
  let places = [start];
  for (const segment of segments) {
    places = places.flatMap((place) => step(disk, place, segment, MOST_LINKS));
    if (places.length > MOST_MATCHES) throw new Error(`More than ${MOST_MATCHES} names match: too many to look at.`);
  }
  return places;
}

function step(disk: Disk, place: string, segment: string, linksLeft: number): string[] {
  if (segment === '' || segment === '.') return [place];
  if (segment === '..') return [dirname(place)];
  const literal = segment.replaceAll(INSIDE, 'inside').replaceAll(NUMBER, '0');
  if (!hasGlob(segment)) return [enter(disk, join(place, literal), linksLeft)];
  const pattern = segmentPattern(segment);
  const matches = disk.entriesOf(place).filter((name) => pattern.test(name));
  // A pattern that matches nothing stays as it is, or names something that is yet to come.
  return [join(place, literal), ...matches.map((name) => enter(disk, join(place, name), linksLeft))];
}

function enter(disk: Disk, path: string, linksLeft: number): string {
  const target = disk.linkAt(path);
  if (target === null) return path;
  if (linksLeft === 0) throw new Error(`Too many links at ${basename(path)}.`);
  let place = isAbsolute(target) ? sep : dirname(path);
  for (const segment of target.split(sep)) {
    if (segment === '..') place = dirname(place);
    else if (segment !== '' && segment !== '.') place = enter(disk, join(place, segment), linksLeft - 1);
  }
  return place;
}

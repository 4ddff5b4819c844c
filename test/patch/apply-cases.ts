import { isDeepStrictEqual } from 'node:util';
import { PatchError, type PatchErrorKind } from '../../src/domain/provider-error.ts';
import { applyPatch } from '../../src/patch/apply-patch.ts';
import { blobSHA } from '../../src/patch/blob-sha.ts';
import type { GitOracle, Listing } from './git-oracle.ts';
import { mutatePatch } from './mutate-patch.ts';
import {
  createRandom,
  driftSnapshot,
  editSnapshot,
  pick,
  randomSnapshot,
  repetitiveEdits,
  type Random,
  type Snapshot,
} from './random-repository.ts';

const CONTEXTS = ['-U0', '-U1', '-U3', '-U8', '-U1000000000', '--function-context'];
const RENAMES = [
  ['--no-renames'],
  ['--find-renames'],
  ['--find-renames=20%'],
  ['--find-copies-harder', '-C'],
  ['-B', '-M'],
];
const OTHERS = [
  [],
  [],
  ['--text'],
  ['--patience'],
  ['--histogram'],
  ['--inter-hunk-context=3'],
  ['--src-prefix=i/', '--dst-prefix=w/'],
  ['--minimal', '--indent-heuristic'],
];

function diffOptions(random: Random, contexts: readonly string[]): string[] {
  const index = random(4) === 0 ? [] : ['--full-index'];
  return ['--binary', ...index, pick(random, contexts), ...pick(random, RENAMES), ...pick(random, OTHERS)];
}

/** How one random patch fared in git's hands, and whether it fared the same in ours. */
export interface Verdict {
  readonly gits: 'applied' | 'refused' | 'nothing to do';
  readonly isSame: boolean;
}

/**
 * Makes a patch with random options and applies it where it was made. Git cannot read some of its own patches (a link
 * renamed into a folder of its own name): there our result may also be the tree that the patch was made for.
 */
export function compareOnBase(git: GitOracle, seed: number): Verdict {
  const random = createRandom(seed);
  const before = randomSnapshot(random);
  const [from = '', to = ''] = git.store(before, editSnapshot(random, before));
  const options = diffOptions(random, CONTEXTS);
  const patch = git.diff(options, from, to);
  if (patch.length === 0) return NOTHING;
  const gits = git.apply(from, patch, options.includes('-U0') ? ['--unidiff-zero'] : []);
  const ours = applyOurs(patch, before);
  if (gits === null && typeof ours !== 'string')
    return { gits: 'refused', isSame: isDeepStrictEqual(ours, git.list(to)) };
  return compare(gits, ours);
}

/** The same on files that others have changed meanwhile. Patches that git cannot even apply at home are left out. */
export function compareOnDrift(git: GitOracle, seed: number): Verdict {
  const random = createRandom(seed);
  const before = randomSnapshot(random);
  const drifted = driftSnapshot(random, before);
  const [from = '', to = '', target = ''] = git.store(before, editSnapshot(random, before), drifted);
  const patch = git.diff(diffOptions(random, CONTEXTS.slice(1)), from, to);
  if (patch.length === 0 || git.apply(from, patch) === null) return NOTHING;
  return compare(git.apply(target, patch), applyOurs(patch, drifted));
}

/** The same on a file in which many places look alike: which one is taken, and when none, is git's rule. */
export function compareOnRepeats(git: GitOracle, seed: number): Verdict {
  const random = createRandom(seed);
  const { before, after, drifted } = repetitiveEdits(random);
  const [from = '', to = '', target = ''] = git.store(before, after, drifted);
  const patch = git.diff(['--full-index', pick(random, ['-U1', '-U2', '-U3'])], from, to);
  return patch.length === 0 ? NOTHING : compare(git.apply(target, patch), applyOurs(patch, drifted));
}

const NOTHING: Verdict = { gits: 'nothing to do', isSame: true };

function compare(gits: Listing | null, ours: Listing | PatchErrorKind): Verdict {
  if (gits === null) return { gits: 'refused', isSame: typeof ours === 'string' };
  return { gits: 'applied', isSame: isDeepStrictEqual(ours, gits) };
}

/** The listing that our result stands for, or the kind of the PatchError. */
export function applyOurs(patch: Buffer, before: Snapshot): Listing | PatchErrorKind {
  try {
    const results = applyPatch(patch, (path) => before.get(path) ?? null);
    const listing: Record<string, string> = {};
    for (const [path, { mode, content }] of before) listing[path] = `${mode} ${blobSHA(content)}`;
    for (const result of results) {
      if (result.kind === 'deleted') delete listing[result.path];
      else listing[result.path] = `${result.mode} ${blobSHA(result.content ?? Buffer.alloc(0))}`;
    }
    return listing;
  } catch (error) {
    if (error instanceof PatchError) return error.kind;
    throw error;
  }
}

/** Random patches, each damaged a hundred times, with the files they were made from. */
export function* damagedPatches(
  git: GitOracle,
  firstSeed: number,
  count: number,
): Generator<{ readonly patch: Buffer; readonly before: Snapshot }> {
  const random = createRandom(firstSeed);
  for (let made = 0; made < count;) {
    const before = randomSnapshot(random);
    const [from = '', to = ''] = git.store(before, editSnapshot(random, before));
    const patch = git.diff(diffOptions(random, CONTEXTS), from, to);
    for (let index = 0; index < 100 && made < count; index += 1, made += 1) {
      yield { patch: mutatePatch(random, patch), before };
    }
  }
}

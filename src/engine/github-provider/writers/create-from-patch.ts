import { PatchError, ProviderError } from '../../../domain/provider-error.ts';
import { applyPatch } from '../../../patch/apply-patch.ts';
import type { FilePatch, ParsedPatch } from '../../../patch/file-patch.ts';
import { parsePatch } from '../../../patch/parse-patch.ts';
import type { Clock, CreateFromPatchOptions, RevisionProviderWriter } from '../../ports.ts';
import type { RevisionSource } from '../readers/revision-source.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resourceNumber } from '../resource-number.ts';
import { createBranchWriter, type Branch, type FindConflicts } from './branch-writer.ts';
import { buildTree } from './build-tree.ts';
import { applyMessage, baseOf } from './commit-message.ts';
import { createGitObjects, type GitCommit } from './git-objects.ts';
import { readMergedWork, readOldFiles } from './old-files.ts';
import { createRefusal } from './refuse-paths.ts';
import { createRevisionOpener } from './revision-opener.ts';

export interface CreateFromPatchDeps {
  readonly access: RepositoryAccess;
  readonly revisions: RevisionSource;
  readonly clock: Clock;
  /** Globs of paths that no patch may touch. */
  readonly protectedPaths?: readonly string[] | undefined;
  /** Without it a conflict names all paths of the patch. */
  readonly findConflicts?: FindConflicts | undefined;
}

/**
 * Makes a patch a commit on a branch with an open revision, by the forge's API alone. Safe by its order: whatever can
 * be refused is refused before anything is written, the tree is compared before a ref moves, and no ref is forced.
 */
export function createCreateFromPatch(deps: CreateFromPatchDeps): RevisionProviderWriter['createFromPatch'] {
  const { access, revisions, clock } = deps;
  const objects = createGitObjects(access);
  const branches = createBranchWriter(access, objects, deps.findConflicts);
  const opener = createRevisionOpener(access, revisions, branches, clock);
  const refusePaths = createRefusal(access, deps.protectedPaths ?? []);

  const readDefaultHead = async () => {
    const head = await branches.read(access.defaultBranch);
    if (head !== null) return head;
    throw new ProviderError('not-found', `There is no branch ${access.defaultBranch} to apply the patch to.`);
  };

  /** The commit that the patch was made on; for the plain call, the head of the default branch. */
  const readBase = (baseSHA: string | undefined, tip: GitCommit | null) => {
    if (baseSHA === undefined) return readDefaultHead();
    return tip?.sha === baseSHA ? tip : objects.readCommit(baseSHA);
  };

  const makeTree = async (
    patch: ParsedPatch,
    base: GitCommit,
    treeSHA: string | undefined,
    knownBlobs: ReadonlySet<string>,
  ) => {
    const old = await readOldFiles(objects, patch.files, base.tree, treeSHA !== undefined);
    const results = applyPatch(patch, old.read, { exact: true, knownBlobs });
    old.checkFolders(results);
    const built = await buildTree(objects, base.tree, results);
    if (treeSHA === undefined || built === treeSHA) return built;
    const message = `The patch gives the tree ${built} on ${base.sha}, but the agent made ${treeSHA}.`;
    throw new PatchError('mismatch', `${message} Nothing was published.`, { paths: results.map(({ path }) => path) });
  };

  /** The new commit; or the tip, if that already is what we would commit. */
  const makeCommit = async (
    workItemID: string,
    tip: GitCommit | null,
    base: GitCommit,
    tree: string,
    { key, baseSHA, mergeSHA }: CreateFromPatchOptions,
  ) => {
    const isPlain = baseSHA === undefined;
    const merged = mergeSHA === undefined ? [] : [mergeSHA];
    // Only the plain call replaces earlier work, and only its own: a patch on the default branch contains it all.
    const replacedBase = isPlain && tip !== null ? baseOf(tip.message) : null;
    const isReplacing = tip !== null && replacedBase !== null;
    const newBase = replacedBase === base.sha ? [] : [base.sha];
    const parents = isReplacing ? [tip.sha, ...newBase] : [base.sha, ...merged];
    const isOnSameBase = isReplacing ? newBase.length === 0 : tip?.parents.join() === parents.join();
    if (tip?.tree === tree && isOnSameBase) return tip;
    const message = applyMessage(workItemID, { key, baseSHA: isPlain ? base.sha : undefined });
    return objects.createCommit({ message, tree, parents });
  };

  return async (workItemID, patch, branch, options = {}) => {
    resourceNumber(workItemID);
    if (branch === access.defaultBranch) {
      throw new PatchError('refused', `Patches go to branches of their own, never straight to ${branch}.`);
    }
    // A merge settled in favour of one's own side changes no file.
    const parsed = patch === '' && options.mergeSHA !== undefined ? { files: [] } : parsePatch(patch);
    const paths = pathsOf(parsed.files);
    const merged = await readMergedWork(objects, parsed.files, options.mergeSHA);
    await refusePaths(pathsOf(merged.own));
    if (options.isRevised === true) await opener.requireOpen(branch);
    const context = { key: options.key, paths, baseSHA: options.baseSHA };
    const tip = await branches.read(branch);
    const base = await readBase(options.baseSHA, tip);
    let state: Branch;
    if (tip !== null && (await branches.holdsRun(tip, options.key, options.baseSHA))) {
      state = { headSHA: tip.sha, isNew: false };
    } else {
      const tree = await makeTree(parsed, base, options.treeSHA, merged.blobs);
      const commit = await makeCommit(workItemID, tip, base, tree, options);
      state = await branches.advance(branch, tip, commit, context);
    }
    return opener.open({ workItemID, branch, state, baseSHA: base.sha, context });
  };
}

function pathsOf(files: readonly FilePatch[]): string[] {
  return [...new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]))].filter((path) => path !== null);
}

import { defaultBranchMissing } from '../../../domain/default-branch-missing.ts';
import { ProviderError } from '../../../domain/provider-error.ts';
import type { Spec, SpecTree } from '../../../domain/spec.ts';
import type { SpecProviderReader } from '../../ports.ts';
import { BlobData, CommitData, RefData, TreeData, type TreeEntryData } from '../github-client/answers.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { mapTreeEntryToSpec } from '../mapping/map-tree-entry-to-spec.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { createBlobCache } from './blob-cache.ts';

const BLOBS_AT_ONCE = 8;

/** Reads the specs folder through the git data API. Trees and blobs are named by content, so what is known stays true. */
export function createSpecReader(
  { client, calls, at, defaultBranch }: RepositoryAccess,
  specsDir: string,
): SpecProviderReader {
  const folder = specsDir.split('/').filter((segment) => segment !== '' && segment !== '.');
  const blobs = createBlobCache(readBlob);
  let last: { commitSHA: string; folderSHA: string | null; tree: SpecTree } | null = null;

  async function readBlob(sha: string): Promise<string> {
    const blob = await calls.repeatable(BlobData, () => client.git.getBlob({ ...at, file_sha: sha }));
    return Buffer.from(blob.content, blob.encoding === 'base64' ? 'base64' : 'utf8').toString('utf8');
  }

  const readTree = (sha: string, isRecursive: boolean) =>
    calls.repeatable(TreeData, () =>
      client.git.getTree({ ...at, tree_sha: sha, ...(isRecursive ? { recursive: '1' } : {}) }),
    );

  /** Null if the commit has no such folder. */
  const findFolder = async (commitSHA: string): Promise<string | null> => {
    const commit = await calls.repeatable(CommitData, () => client.git.getCommit({ ...at, commit_sha: commitSHA }));
    let sha = commit.tree.sha;
    for (const segment of folder) {
      const { tree } = await readTree(sha, false);
      const entry = tree.find(({ path, type }) => path === segment && type === 'tree');
      if (entry === undefined) return null;
      sha = entry.sha;
    }
    return sha;
  };

  /** GitHub cuts very large recursive answers off; then folder by folder. */
  const listFiles = async (treeSHA: string): Promise<TreeEntryData[]> => {
    const whole = await readTree(treeSHA, true);
    if (!whole.truncated) return whole.tree.filter(({ type }) => type === 'blob');
    const level = await readTree(treeSHA, false);
    if (level.truncated) throw new ProviderError('malformed', `The folder ${specsDir} holds too many files to list`);
    const files: TreeEntryData[] = level.tree.filter(({ type }) => type === 'blob');
    for (const entry of level.tree.filter(({ type }) => type === 'tree')) {
      const below = await listFiles(entry.sha);
      files.push(...below.map((file) => ({ ...file, path: `${entry.path}/${file.path}` })));
    }
    return files;
  };

  const readSpecs = async (folderSHA: string | null): Promise<Spec[]> => {
    if (folderSHA === null) return [];
    return mapConcurrently(await listFiles(folderSHA), BLOBS_AT_ONCE, async (entry) =>
      mapTreeEntryToSpec(entry, folder.join('/'), await blobs.get(entry.sha)),
    );
  };

  const getDefaultHead = async () => {
    try {
      const ref = await calls.repeatable(RefData, () => client.git.getRef({ ...at, ref: `heads/${defaultBranch}` }));
      return ref.object.sha;
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not-found') throw error;
      throw defaultBranchMissing(defaultBranch, 'not-found', error);
    }
  };

  const readSpecTree = async (): Promise<SpecTree> => {
    const commitSHA = await getDefaultHead();
    const known = last;
    if (known?.commitSHA === commitSHA) return known.tree;
    const folderSHA = await findFolder(commitSHA);
    const isSame = known !== null && known.folderSHA === folderSHA;
    const tree = { commitSHA, specs: isSame ? known.tree.specs : await readSpecs(folderSHA) };
    last = { commitSHA, folderSHA, tree };
    return tree;
  };

  return {
    readSpecTree,
    listSpecs: async () => [...(await readSpecTree()).specs],
    getBlob: (sha) => blobs.get(sha),
    getDefaultHead,
  };
}

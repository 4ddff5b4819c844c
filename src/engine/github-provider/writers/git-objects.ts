import type { z } from 'zod';
import { ProviderError } from '../../../domain/provider-error.ts';
import {
  BlobData,
  CommitData,
  CreatedBlobData,
  RefData,
  TreeData,
  type TreeEntryData,
} from '../github-client/answers.ts';
import type { CreateCommitParams, NewTreeEntry } from '../github-client/types.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { nullIfNotFound } from '../resource-number.ts';

export interface GitCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Git's objects on the forge. All are named by their content, or unreachable until a ref points to them: repeatable. */
export interface GitObjects {
  readBranch(branch: string): Promise<string | null>;
  readCommit(sha: string): Promise<GitCommit>;
  readBlob(sha: string): Promise<Buffer>;
  /** Everything in it and below; `isComplete` is false where the forge cut the listing. */
  readTree(sha: string): Promise<{ entries: readonly TreeEntryData[]; isComplete: boolean }>;
  /** The direct entries. */
  readFolder(sha: string): Promise<readonly TreeEntryData[]>;
  createBlob(content: Buffer): Promise<string>;
  createTree(base: string, entries: NewTreeEntry[]): Promise<string>;
  /** Without an author: the forge signs it as the app. */
  createCommit(commit: Pick<CreateCommitParams, 'message' | 'tree' | 'parents'>): Promise<GitCommit>;
}

export function createGitObjects({ client, calls, at }: RepositoryAccess): GitObjects {
  const readTree = (tree_sha: string, depth: { recursive?: string }) =>
    calls.repeatable(TreeData, () => client.git.getTree({ ...at, ...depth, tree_sha }));

  return {
    readBranch: async (branch) => {
      const read = () => calls.repeatable(RefData, () => client.git.getRef({ ...at, ref: `heads/${branch}` }));
      return (await nullIfNotFound(read))?.object.sha ?? null;
    },
    readCommit: async (commit_sha) =>
      toCommit(await calls.repeatable(CommitData, () => client.git.getCommit({ ...at, commit_sha }))),
    readBlob: async (file_sha) => {
      const blob = await calls.repeatable(BlobData, () => client.git.getBlob({ ...at, file_sha }));
      if (blob.encoding === 'base64') return Buffer.from(blob.content, 'base64');
      if (blob.encoding === 'utf-8') return Buffer.from(blob.content, 'utf8');
      throw new ProviderError('malformed', `The blob ${file_sha} came in the unknown encoding ${blob.encoding}`);
    },
    readTree: async (sha) => {
      const { tree, truncated } = await readTree(sha, { recursive: '1' });
      return { entries: tree, isComplete: !truncated };
    },
    readFolder: async (sha) => (await readTree(sha, {})).tree,
    createBlob: async (bytes) => {
      const content = bytes.toString('base64');
      const created = await calls.repeatable(CreatedBlobData, () =>
        client.git.createBlob({ ...at, content, encoding: 'base64' }),
      );
      return created.sha;
    },
    createTree: async (base_tree, tree) =>
      (await calls.repeatable(TreeData, () => client.git.createTree({ ...at, base_tree, tree }))).sha,
    createCommit: async (commit) =>
      toCommit(await calls.repeatable(CommitData, () => client.git.createCommit({ ...at, ...commit }))),
  };
}

function toCommit({ sha, tree, parents, message }: z.infer<typeof CommitData>): GitCommit {
  return { sha, tree: tree.sha, parents: parents.map((parent) => parent.sha), message };
}

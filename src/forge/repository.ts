import { APIError, notFound } from './api.ts';
import type { Handler } from './api.ts';
import { repositoryAnswer } from './answers/repository.ts';
import type { Forge, Schemas } from './forge.ts';
import { base64Lines } from './git-data.ts';
import { DEFAULT_BRANCH } from './git-repository.ts';
import type { GitObject } from './object-database.ts';
import { isFolder, readTree } from './tree-writer.ts';
import type { TreeEntry } from './tree-writer.ts';

export const getRepository: Handler = (forge) => ({ status: 200, body: repositoryAnswer(forge) });

/** A file, or the entries of a folder. */
export const getContents: Handler = async (forge, request) => {
  const ref = request.query.get('ref') ?? DEFAULT_BRANCH;
  const commit = await forge.git.resolveCommit(ref);
  if (commit === null) throw notFound(`No commit found for the ref ${ref}`);
  const path = request.param('path').replace(/^\/+|\/+$/g, '');
  const object = await forge.git.objects.read(`${commit}:${path}`);
  if (object === null) throw notFound();
  if (object.type === 'tree') {
    const entries = await readTree(forge.git.objects, object.sha);
    const body: Schemas['content-directory'] = await Promise.all(
      entries.map(async (entry) => folderEntry(forge, entry, path, ref)),
    );
    return { status: 200, body };
  }
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const parent = await forge.git.objects.info(`${commit}:${folder}`);
  const siblings = await readTree(forge.git.objects, parent?.sha ?? null);
  const entry = siblings.find((sibling) => sibling.sha === object.sha && nameOf(sibling) === path.split('/').at(-1));
  if (entry === undefined) throw new APIError(422, 'This path is not a file or folder of the repository');
  return { status: 200, body: fileAnswer(forge, entry, object, path, ref) };
};

/** No statuses can be posted here, and without any GitHub says `pending`. */
export const getCombinedStatus: Handler = async (forge, request) => {
  const sha = await requireCommit(forge, request.param('ref'));
  const body: Schemas['combined-commit-status'] = {
    state: 'pending',
    statuses: [],
    sha,
    total_count: 0,
    repository: repositoryAnswer(forge),
    commit_url: `${forge.api}/commits/${sha}`,
    url: `${forge.api}/commits/${sha}/status`,
  };
  return { status: 200, body };
};

export async function requireCommit(forge: Forge, name: string): Promise<string> {
  const sha = await forge.git.resolveCommit(name);
  if (sha === null) throw new APIError(422, `No commit found for SHA: ${name}`);
  return sha;
}

/** GitHub sends larger files only through the blobs API. */
const MAX_CONTENT_BYTES = 1024 * 1024;

function fileAnswer(
  forge: Forge,
  entry: TreeEntry,
  object: GitObject,
  path: string,
  ref: string,
): Schemas['content-file'] | Schemas['content-symlink'] {
  const common = {
    ...entryURLs(forge, entry, path, ref),
    size: object.size,
    name: nameOf(entry),
    path,
    sha: entry.sha,
  };
  if (entry.mode === '120000') return { ...common, type: 'symlink', target: object.content.toString('utf8') };
  const isSmall = object.size <= MAX_CONTENT_BYTES;
  return {
    ...common,
    type: 'file',
    encoding: isSmall ? 'base64' : 'none',
    content: isSmall ? base64Lines(object.content) : '',
  };
}

async function folderEntry(
  forge: Forge,
  entry: TreeEntry,
  folder: string,
  ref: string,
): Promise<Schemas['content-directory'][number]> {
  const name = nameOf(entry);
  const path = folder === '' ? name : `${folder}/${name}`;
  const size = isFolder(entry) ? 0 : ((await forge.git.objects.info(entry.sha))?.size ?? 0);
  return { ...entryURLs(forge, entry, path, ref), type: kinds[entry.mode] ?? 'file', size, name, path, sha: entry.sha };
}

const kinds: Readonly<Record<string, Schemas['content-directory'][number]['type']>> = {
  '040000': 'dir',
  '120000': 'symlink',
  '160000': 'submodule',
};

const nameOf = (entry: TreeEntry): string => Buffer.from(entry.name, 'latin1').toString('utf8');

function entryURLs(forge: Forge, entry: TreeEntry, path: string, ref: string) {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const url = `${forge.api}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const git = `${forge.api}/git/${isFolder(entry) ? 'trees' : 'blobs'}/${entry.sha}`;
  const html = `${forge.html}/${isFolder(entry) ? 'tree' : 'blob'}/${ref}/${encoded}`;
  const download = isFolder(entry) ? null : `${forge.html}/raw/${ref}/${encoded}`;
  return { url, git_url: git, html_url: html, download_url: download, _links: { self: url, git, html } };
}

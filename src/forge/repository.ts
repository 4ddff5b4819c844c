import { APIError, notFound } from './api.ts';
import type { Handler } from './api.ts';
import { repositoryAnswer } from './answers/repository.ts';
import type { Forge, Schemas } from './forge.ts';
import { base64Lines } from './git-data.ts';
import { readTree } from './tree-writer.ts';

export const getRepository: Handler = (forge) => ({ status: 200, body: repositoryAnswer(forge) });

/** A file, or the entries of a folder. */
export const getContents: Handler = async (forge, request) => {
  const ref = request.query.get('ref') ?? forge.git.defaultBranch;
  const commit = await forge.git.resolveCommit(ref);
  if (commit === null) throw notFound(`No commit found for the ref ${ref}`);
  const path = request.param('path').replace(/^\/+|\/+$/g, '');
  const object = await forge.git.objects.read(`${commit}:${path}`);
  if (object === null) throw notFound();
  if (object.type !== 'tree') {
    const entry = contentEntry(forge, ref, path, { mode: '100644', ...object });
    const content = base64Lines(object.content);
    const body: Schemas['content-file'] = { ...entry, type: 'file', encoding: 'base64', content };
    return { status: 200, body };
  }
  const body: Schemas['content-directory'] = await Promise.all(
    (await readTree(forge.git.objects, object.sha)).map(async ({ mode, name, sha }) => {
      const size = mode === '160000' ? 0 : ((await forge.git.objects.info(sha))?.size ?? 0);
      const below = Buffer.from(name, 'latin1').toString('utf8');
      return contentEntry(forge, ref, path === '' ? below : `${path}/${below}`, { mode, sha, size });
    }),
  );
  return { status: 200, body };
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

const CONTENT_TYPES: Readonly<Record<string, Schemas['content-directory'][number]['type']>> = {
  '040000': 'dir',
  '120000': 'symlink',
  '160000': 'submodule',
};

function contentEntry(
  forge: Forge,
  ref: string,
  path: string,
  { mode, sha, size }: { mode: string; sha: string; size: number },
): Schemas['content-directory'][number] {
  const type = CONTENT_TYPES[mode] ?? 'file';
  const isFolder = type === 'dir';
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const self = `${forge.api}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const git = `${forge.api}/git/${isFolder ? 'trees' : 'blobs'}/${sha}`;
  const html = `${forge.html}/${isFolder ? 'tree' : 'blob'}/${ref}/${encoded}`;
  return {
    type,
    size: isFolder ? 0 : size,
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha,
    url: self,
    git_url: git,
    html_url: html,
    download_url: isFolder ? null : `${forge.html}/raw/${ref}/${encoded}`,
    _links: { self, git, html },
  };
}

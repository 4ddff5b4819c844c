import { z } from 'zod';
import { APIError, notFound, parseBody } from './api.ts';
import type { APIRequest, Handler } from './api.ts';
import type { Forge, Schemas } from './forge.ts';
import { requireContent } from './git-data.ts';
import { isSHA } from './git-repository.ts';
import { isFolder, readTree, TreeError, writeTree } from './tree-writer.ts';
import type { TreeChange, TreeEntry } from './tree-writer.ts';
import { refuseWorkflowPath } from './workflow-permission.ts';

/** By the SHA of a tree or commit, or by a branch. */
export const getTree: Handler = async (forge, request) => {
  requireContent(forge);
  const name = request.param('tree_sha');
  const commit = isSHA(name) ? name : await forge.git.resolveCommit(name);
  const tree = commit === null ? null : await forge.git.objects.info(`${commit}^{tree}`);
  if (tree === null) throw notFound();
  return { status: 200, body: await treeAnswer(forge, tree.sha, request.query.has('recursive')) };
};

export const createTree: Handler = async (forge, request) => {
  requireContent(forge);
  const wish = parseBody(treeSchema, request.body, 'Tree');
  const inline = wish.tree.flatMap((entry) => (typeof entry.content === 'string' ? [entry.content] : []));
  const bytes = inline.reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  if (inline.length > MAX_INLINE_FILES || bytes > MAX_INLINE_BYTES) {
    throw new APIError(422, 'Sorry, your request was too large to process. Send fewer or smaller files at once.');
  }
  const base = wish.base_tree === undefined ? null : await forge.git.objects.info(`${wish.base_tree}^{tree}`);
  if (wish.base_tree !== undefined && base === null) throw new APIError(422, 'base_tree is not a valid tree');
  const changes = await Promise.all(wish.tree.map((entry) => changeOf(forge, request, entry)));
  try {
    const sha = await writeTree(forge.git.objects, base?.sha ?? null, changes);
    return { status: 201, body: await treeAnswer(forge, sha ?? (await emptyTree(forge)), false) };
  } catch (error) {
    if (error instanceof TreeError) throw new APIError(422, `GitRPC::BadObjectState: ${error.message}`);
    throw error;
  }
};

const MAX_INLINE_FILES = 200;
const MAX_INLINE_BYTES = 2.5 * 1024 * 1024;
const MAX_LISTED = 100_000;

const treePath = z
  .string()
  .refine((path) => !path.startsWith('/'), 'tree.path cannot start with a slash')
  .refine(
    (path) => path.split('/').every((part) => !/^(|\.|\.\.|\.git)$/i.test(part)) && !path.includes('\0'),
    'tree.path contains a malformed path component',
  );

const entrySchema = z
  .object({
    path: treePath,
    mode: z.enum(['100644', '100755', '120000', '040000', '160000']),
    type: z.enum(['blob', 'tree', 'commit']).optional(),
    sha: z.string().refine(isSHA, 'tree.sha is not a SHA').nullable().optional(),
    content: z.string().optional(),
  })
  .refine(
    ({ sha, content }) => (sha === undefined) !== (content === undefined),
    'must supply either tree.sha or tree.content',
  )
  .refine(({ mode, content }) => content === undefined || typeOf(mode) === 'blob', 'tree.content is for files only')
  .refine(({ mode, type }) => type === undefined || type === typeOf(mode), 'tree.type does not fit tree.mode');

const treeSchema = z.object({
  base_tree: z.string().refine(isSHA, 'base_tree is not a SHA').optional(),
  tree: z.array(entrySchema),
});

async function changeOf(forge: Forge, request: APIRequest, entry: z.infer<typeof entrySchema>): Promise<TreeChange> {
  refuseWorkflowPath(request.caller, entry.path);
  const path = Buffer.from(entry.path).toString('latin1');
  if (entry.sha === null) return { path, entry: null };
  if (entry.content !== undefined) {
    const sha = await forge.git.objects.write('blob', Buffer.from(entry.content));
    return { path, entry: { mode: entry.mode, sha } };
  }
  const sha = entry.sha ?? '';
  const isSubmodule = entry.mode === '160000';
  const isRight = isSubmodule || (await forge.git.objects.info(sha))?.type === typeOf(entry.mode);
  if (!isRight) throw new APIError(422, `tree.sha ${sha} is not a valid ${typeOf(entry.mode)}`);
  return { path, entry: { mode: entry.mode, sha } };
}

async function treeAnswer(forge: Forge, sha: string, isRecursive: boolean): Promise<Schemas['git-tree']> {
  const tree = await listTree(forge, sha, '', isRecursive);
  return {
    sha,
    url: `${forge.api}/git/trees/${sha}`,
    tree: tree.slice(0, MAX_LISTED),
    truncated: tree.length > MAX_LISTED,
  };
}

async function listTree(
  forge: Forge,
  sha: string,
  prefix: string,
  isRecursive: boolean,
): Promise<Schemas['git-tree']['tree']> {
  const entries = await readTree(forge.git.objects, sha);
  const listed = await Promise.all(
    entries.map(async (entry) => {
      const path = prefix + Buffer.from(entry.name, 'latin1').toString('utf8');
      const below = isRecursive && isFolder(entry) ? await listTree(forge, entry.sha, `${path}/`, true) : [];
      return [await entryAnswer(forge, entry, path), ...below];
    }),
  );
  return listed.flat();
}

async function entryAnswer(
  forge: Forge,
  { mode, sha }: TreeEntry,
  path: string,
): Promise<Schemas['git-tree']['tree'][number]> {
  const type = typeOf(mode);
  const size = type === 'blob' ? (await forge.git.objects.info(sha))?.size : undefined;
  return { path, mode, type, sha, url: `${forge.api}/git/${type}s/${sha}`, ...(size === undefined ? {} : { size }) };
}

function typeOf(mode: string): 'blob' | 'tree' | 'commit' {
  if (mode === '040000') return 'tree';
  return mode === '160000' ? 'commit' : 'blob';
}

const emptyTree = (forge: Forge): Promise<string> => forge.git.objects.write('tree', Buffer.alloc(0));

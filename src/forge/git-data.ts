import { z } from 'zod';
import { APIError, count, invalid, notFound, parseBody } from './api.ts';
import type { Handler } from './api.ts';
import { gitCommitAnswer, refAnswer } from './answers/git.ts';
import { FORGE_IDENTITY, gitIdentity, nodeID } from './answers/user.ts';
import type { Forge, Schemas } from './forge.ts';
import { isRefName, isSHA } from './git-repository.ts';
import { branchMoved } from './ref-changes.ts';
import { refuseWorkflowChange } from './workflow-permission.ts';

export const getRef: Handler = async (forge, request) => {
  requireContent(forge);
  const ref = `refs/${request.param('ref')}`;
  const object = isRefName(ref) ? await forge.git.objects.info(ref) : null;
  if (object === null) throw notFound();
  return { status: 200, body: refAnswer(forge, ref, object) };
};

export const createRef: Handler = async (forge, request) => {
  requireContent(forge);
  const { ref, sha } = parseBody(z.object({ ref: z.string(), sha: z.string() }), request.body, 'Reference');
  if (!/^refs\/[^/]+\/./.test(ref) || !isRefName(ref)) throw new APIError(422, 'Reference name is invalid');
  const object = await requireTarget(forge, ref, sha);
  if ((await forge.git.objects.info(ref)) !== null) throw new APIError(422, 'Reference already exists');
  await refuseWorkflowChange(forge, request.caller, sha);
  if (!(await forge.git.updateRef(ref, sha, null))) throw new APIError(422, 'Reference update failed');
  await noteBranch(forge, ref, sha, request.caller.login);
  return { status: 201, body: refAnswer(forge, ref, object) };
};

export const updateRef: Handler = async (forge, request) => {
  const ref = `refs/${request.param('ref')}`;
  const wish = parseBody(z.object({ sha: z.string(), force: z.boolean().optional() }), request.body, 'Reference');
  const old = isRefName(ref) ? await forge.git.objects.info(ref) : null;
  if (old === null) throw new APIError(422, 'Reference does not exist');
  const object = await requireTarget(forge, ref, wish.sha);
  const isForward = wish.force === true || (await forge.git.isAncestor(old.sha, wish.sha));
  if (!isForward) throw new APIError(422, 'Update is not a fast forward');
  await refuseWorkflowChange(forge, request.caller, wish.sha);
  if (!(await forge.git.updateRef(ref, wish.sha, old.sha))) throw new APIError(422, 'Reference update failed');
  await noteBranch(forge, ref, wish.sha, request.caller.login);
  return { status: 200, body: refAnswer(forge, ref, object) };
};

export const getBlob: Handler = async (forge, request) => {
  const sha = request.param('file_sha');
  const blob = isSHA(sha) ? await forge.git.objects.read(sha) : null;
  if (blob?.type !== 'blob') throw notFound();
  const body: Schemas['blob'] = {
    sha,
    node_id: nodeID('B', sha),
    size: blob.size,
    url: `${forge.api}/git/blobs/${sha}`,
    content: base64Lines(blob.content),
    encoding: 'base64',
  };
  return { status: 200, body };
};

export const createBlob: Handler = async (forge, request) => {
  requireContent(forge);
  const wish = parseBody(
    z.object({ content: z.string(), encoding: z.enum(['utf-8', 'base64']).default('utf-8') }),
    request.body,
    'Blob',
  );
  const content = Buffer.from(wish.content, wish.encoding === 'base64' ? 'base64' : 'utf8');
  if (content.length > MAX_BLOB_BYTES) throw new APIError(422, 'Sorry, your input was too large to process.');
  const sha = await forge.git.objects.write('blob', content);
  const body: Schemas['short-blob'] = { sha, url: `${forge.api}/git/blobs/${sha}` };
  return { status: 201, body };
};

export const getCommit: Handler = async (forge, request) => {
  const sha = request.param('commit_sha');
  const commit = await forge.git.readCommit(sha);
  if (commit === null) throw notFound();
  return { status: 200, body: gitCommitAnswer(forge, sha, commit) };
};

/** It is the caller's own commit, committed by the forge. */
export const createCommit: Handler = async (forge, request) => {
  const wish = parseBody(commitSchema, request.body, 'Commit');
  if ((await forge.git.objects.info(wish.tree))?.type !== 'tree') throw new APIError(422, 'Tree SHA does not exist');
  for (const parent of wish.parents) {
    const isCommit = (await forge.git.objects.info(parent))?.type === 'commit';
    if (!isCommit) throw new APIError(422, 'Parent SHA does not exist or is not a commit object');
  }
  const at = forge.now();
  const author = { ...gitIdentity(request.caller.login), at };
  const commit = { ...wish, author, committer: { ...FORGE_IDENTITY, at } };
  const sha = await forge.git.writeCommit(commit);
  return { status: 201, body: gitCommitAnswer(forge, sha, commit) };
};

/** GitHub refuses to work on the objects of a repository in which nothing was ever pushed. */
export function requireContent(forge: Forge): void {
  if (count(forge, 'FROM seen_refs') === 0) throw new APIError(409, 'Git Repository is empty.');
}

/** Base64 as GitHub sends it, in short lines. */
export const base64Lines = (content: Buffer): string => content.toString('base64').replace(/.{60}/g, '$&\n');

const MAX_BLOB_BYTES = 100 * 1024 * 1024;

const shaText = z.string().refine(isSHA, 'is not a SHA');

const commitSchema = z.object({
  message: z.string().refine((message) => !message.includes('\0'), 'message holds a NUL'),
  tree: shaText,
  parents: z.array(shaText).default([]),
});

async function requireTarget(forge: Forge, ref: string, sha: string): Promise<{ type: string; sha: string }> {
  const object = isSHA(sha) ? await forge.git.objects.info(sha) : null;
  if (object === null) throw new APIError(422, 'Object does not exist');
  if (ref.startsWith('refs/heads/') && object.type !== 'commit') throw invalid('Reference', 'sha', 'invalid');
  return object;
}

async function noteBranch(forge: Forge, ref: string, sha: string, by: string): Promise<void> {
  if (ref.startsWith('refs/heads/')) await branchMoved(forge, ref.slice('refs/heads/'.length), sha, by);
}

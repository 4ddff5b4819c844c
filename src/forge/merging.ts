import { z } from 'zod';
import { APIError, invalid, notFound, parseBody } from './api.ts';
import type { Handler } from './api.ts';
import { commitAnswer } from './answers/git.ts';
import { FORGE_IDENTITY, gitIdentity } from './answers/user.ts';
import type { Forge, Schemas } from './forge.ts';
import { isSHA } from './git-repository.ts';
import { recordMerge } from './issue-changes.ts';
import { requirePull, withHead } from './pulls.ts';
import { branchMoved } from './ref-changes.ts';
import { refuseWorkflowChange } from './workflow-permission.ts';

export const mergePull: Handler = async (forge, request) => {
  const { row, headSHA } = await withHead(forge, requirePull(forge, request));
  const wish = parseBody(mergePullSchema, request.body, 'PullRequest');
  if (row.merged_at !== null || row.state === 'closed') throw new APIError(405, 'Pull Request is not mergeable');
  if (row.draft) throw new APIError(405, 'Pull Request is still a draft');
  if (wish.sha !== undefined && wish.sha !== headSHA) {
    throw new APIError(409, 'Head branch was modified. Review and try the merge again.');
  }
  const base = await forge.git.tip(row.base_ref);
  const tree = base === null ? null : await forge.git.mergeTrees(base, headSHA);
  const isGone = (await forge.git.tip(row.head_ref)) === null;
  if (base === null || tree === null || isGone) throw new APIError(405, 'Pull Request is not mergeable');

  const isSquash = wish.merge_method === 'squash';
  const title = isSquash
    ? `${row.title} (#${row.number})`
    : `Merge pull request #${row.number} from ${forge.identity.owner}/${row.head_ref}`;
  const message = [title, isSquash ? (row.body ?? '') : row.title];
  const parents = isSquash ? [base] : [base, headSHA];
  const commitSHA = await writeMerge(forge, request.caller.login, tree, parents, message.join('\n\n').trimEnd());
  await refuseWorkflowChange(forge, request.caller, commitSHA);
  if (!(await forge.git.updateRef(`refs/heads/${row.base_ref}`, commitSHA, base))) {
    throw new APIError(409, 'Base branch was modified. Review and try the merge again.');
  }
  recordMerge(forge, row, { by: request.caller.login, headSHA, baseSHA: base, commitSHA });
  await branchMoved(forge, row.base_ref, commitSHA, request.caller.login);
  const body: Schemas['pull-request-merge-result'] = {
    sha: commitSHA,
    merged: true,
    message: 'Pull Request successfully merged',
  };
  return { status: 200, body };
};

/** Merges a branch or commit into a branch: 201 with the merge, 204 if there is nothing to do, 409 on a conflict. */
export const mergeBranch: Handler = async (forge, request) => {
  const wish = parseBody(mergeBranchSchema, request.body, 'Merge');
  const [base, head] = await Promise.all([forge.git.tip(wish.base), forge.git.resolveCommit(wish.head)]);
  if (base === null) throw notFound('Base does not exist');
  if (head === null) throw notFound('Head does not exist');
  if (await forge.git.isAncestor(head, base)) return { status: 204 };
  const tree = await forge.git.mergeTrees(base, head);
  if (tree === null) throw new APIError(409, 'Merge conflict');
  const name = isSHA(wish.head) ? `commit '${wish.head}'` : `branch '${wish.head}'`;
  const message = wish.commit_message ?? `Merge ${name} into ${wish.base}`;
  const sha = await writeMerge(forge, request.caller.login, tree, [base, head], message);
  await refuseWorkflowChange(forge, request.caller, sha);
  if (!(await forge.git.updateRef(`refs/heads/${wish.base}`, sha, base)))
    throw new APIError(409, 'Base branch was modified');
  await branchMoved(forge, wish.base, sha, request.caller.login);
  const commit = await forge.git.readCommit(sha);
  if (commit === null) throw invalid('Merge', 'sha', 'missing');
  return { status: 201, body: commitAnswer(forge, sha, commit) };
};

const mergePullSchema = z.object({
  sha: z.string().optional(),
  merge_method: z.enum(['merge', 'squash']).optional(),
});

const mergeBranchSchema = z.object({
  base: z.string().min(1),
  head: z.string().min(1),
  commit_message: z.string().min(1).optional(),
});

function writeMerge(forge: Forge, by: string, tree: string, parents: string[], message: string): Promise<string> {
  const at = forge.now();
  const author = { ...gitIdentity(by), at };
  return forge.git.writeCommit({ tree, parents, author, committer: { ...FORGE_IDENTITY, at }, message });
}

import { z } from 'zod';
import { choice, count, invalid, notFound, numberParam, pageOf, parseBody, selectPage } from './api.ts';
import type { APIRequest, Handler, Selection } from './api.ts';
import { pullAnswer, pullAnswers, pullRow } from './answers/pull.ts';
import type { PullRow, PullState } from './answers/pull.ts';
import type { Forge, Schemas } from './forge.ts';
import { findPull, prepareState, touch } from './issue-changes.ts';
import { bodyText, titleText } from './issue-fields.ts';
import { insertIssue, updateText } from './issues.ts';

export const getPull: Handler = async (forge, request) => ({
  status: 200,
  body: await describe(forge, requirePull(forge, request)),
});

export const listPulls: Handler = async (forge, request) => {
  const sort = choice(request, 'sort', ['created', 'updated']);
  const direction = choice(request, 'direction', sort === 'created' ? ['desc', 'asc'] : ['asc', 'desc']);
  const { rows, total } = selectPage(forge, request, pullRow, {
    from: 'issue_entries',
    where: pullFilter(forge, request),
    order: `${sort}_at ${direction}, number ${direction}`,
  });
  const pulls = await Promise.all(rows.map((row) => withHead(forge, row)));
  return { status: 200, body: pullAnswers(forge, pulls), total };
};

export const createPull: Handler = async (forge, request) => {
  const wish = parseBody(createSchema, request.body, 'PullRequest');
  const branch = branchOf(forge, wish.head);
  const [head, base] = await Promise.all([branch === null ? null : forge.git.tip(branch), forge.git.tip(wish.base)]);
  if (branch === null || head === null) throw invalid('PullRequest', 'head', 'invalid');
  if (base === null) throw invalid('PullRequest', 'base', 'invalid');
  const sql = `SELECT * FROM issue_entries WHERE is_pull AND state = 'open' AND head_ref = ? AND base_ref = ?`;
  if (forge.store.get(pullRow, sql, branch, wish.base) !== null) {
    throw refused(`A pull request already exists for ${forge.identity.owner}:${branch}.`);
  }
  const start = await forge.git.mergeBase(base, head);
  if (start === null) throw refused(`The ${branch} branch has no history in common with ${wish.base}`);
  if (start === head) throw refused(`No commits between ${wish.base} and ${branch}`);
  const number = forge.store.transaction(() => {
    const created = insertIssue(forge, request.caller.login, wish.title, wish.body ?? null);
    const insert = 'INSERT INTO pulls (number, head_ref, base_ref, draft, base_sha) VALUES (?, ?, ?, ?, ?)';
    forge.store.run(insert, created, branch, wish.base, wish.draft === true ? 1 : 0, base);
    return created;
  });
  return { status: 201, body: await describe(forge, pullByNumber(forge, number)) };
};

export const updatePull: Handler = async (forge, request) => {
  const row = requirePull(forge, request);
  const wish = parseBody(updateSchema, request.body, 'PullRequest');
  const applyState = await prepareState(forge, row, wish, request.caller.login);
  forge.store.transaction(() => {
    applyState();
    updateText(forge, row, wish);
    touch(forge, row.number);
  });
  return { status: 200, body: await describe(forge, pullByNumber(forge, row.number)) };
};

export const listPullFiles: Handler = async (forge, request) => {
  const pull = await withHead(forge, requirePull(forge, request));
  const files = (await forge.git.diff(await diffBase(forge, pull), pull.headSHA)).slice(0, 3_000);
  const { size, offset } = pageOf(request.query);
  const body = files.slice(offset, offset + size).map((file): Schemas['diff-entry'] => {
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    return {
      sha: file.sha,
      filename: file.path,
      status: file.status,
      additions: file.additions,
      deletions: file.deletions,
      changes: file.additions + file.deletions,
      blob_url: `${forge.html}/blob/${pull.headSHA}/${path}`,
      raw_url: `${forge.html}/raw/${pull.headSHA}/${path}`,
      contents_url: `${forge.api}/contents/${path}?ref=${pull.headSHA}`,
      ...(file.patch === null ? {} : { patch: file.patch }),
      ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
    };
  });
  return { status: 200, body, total: files.length };
};

export function requirePull(forge: Forge, request: APIRequest): PullRow {
  return pullByNumber(forge, numberParam(request, 'pull_number'));
}

/** An open pull request's head is wherever its branch is now. */
export async function withHead(forge: Forge, row: PullRow): Promise<PullState> {
  const headSHA = row.final_head_sha ?? (await forge.git.tip(row.head_ref)) ?? row.base_sha;
  return { row, headSHA };
}

/** What the head is compared with: the base as it is now, or as it was before the merge. */
export async function diffBase(forge: Forge, { row }: PullState): Promise<string> {
  if (row.merged_at !== null) return row.base_sha;
  return (await forge.git.tip(row.base_ref)) ?? row.base_sha;
}

const createSchema = z.object({
  title: titleText,
  head: z.string().min(1),
  base: z.string().min(1),
  body: bodyText.nullish(),
  draft: z.boolean().optional(),
});

const updateSchema = z.object({
  title: titleText.optional(),
  body: bodyText.nullish(),
  state: z.enum(['open', 'closed']).optional(),
});

const refused = (message: string) => invalid('PullRequest', 'head', 'custom', message);

function pullByNumber(forge: Forge, number: number): PullRow {
  const row = findPull(forge, number);
  if (row === null) throw notFound();
  return row;
}

async function describe(forge: Forge, row: PullRow): Promise<Schemas['pull-request']> {
  const pull = await withHead(forge, row);
  const base = await diffBase(forge, pull);
  const start = (await forge.git.mergeBase(base, pull.headSHA)) ?? base;
  const [files, commits, mergedTree] = await Promise.all([
    forge.git.diff(base, pull.headSHA),
    forge.git.countCommits(start, pull.headSHA),
    row.state === 'open' ? forge.git.mergeTrees(base, pull.headSHA) : null,
  ]);
  return pullAnswer(forge, pull, {
    mergeable: row.state === 'open' ? mergedTree !== null : null,
    commits,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
    reviewComments: count(forge, 'FROM review_comments WHERE number = ?', row.number),
  });
}

/** `branch` or `owner:branch`; null for another owner, since there are no forks. */
function branchOf(forge: Forge, head: string): string | null {
  const [owner = '', branch] = head.split(':', 2);
  if (branch === undefined) return head;
  return owner.toLowerCase() === forge.identity.owner ? branch : null;
}

function pullFilter(forge: Forge, request: APIRequest): Selection['where'] {
  const state = choice(request, 'state', ['open', 'closed', 'all']);
  const conditions: [condition: string, value: string | number][] = [['is_pull = ?', 1]];
  if (state !== 'all') conditions.push(['state = ?', state]);
  const base = request.query.get('base');
  if (base !== null) conditions.push(['base_ref = ?', base]);
  const head = request.query.get('head');
  // GitHub ignores a head without an owner.
  if (head?.includes(':') === true) conditions.push(['head_ref = ?', branchOf(forge, head) ?? '']);
  return conditions;
}

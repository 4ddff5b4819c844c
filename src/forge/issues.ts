import { z } from 'zod';
import { choice, notFound, numberParam, parseBody, selectPage } from './api.ts';
import type { APIRequest, Handler, Selection } from './api.ts';
import { commentAnswer, commentRow, issueAnswers, issueRow, labelsOf } from './answers/issue.ts';
import type { IssueRow } from './answers/issue.ts';
import { timestamp } from './forge.ts';
import type { Forge, Schemas } from './forge.ts';
import { bodyText, labelNames, titleText } from './issue-fields.ts';
import { addLabels, prepareState, setLabels, touch } from './issue-changes.ts';

export const getIssue: Handler = (forge, request) => ({ status: 200, body: issueOf(forge, findIssue(forge, request)) });

export const listIssues: Handler = (forge, request) => {
  const column = choice(request, 'sort', ['created', 'updated']);
  const direction = choice(request, 'direction', ['desc', 'asc']);
  const { rows, total } = selectPage(forge, request, issueRow, {
    from: 'issue_entries',
    where: issueFilter(request),
    order: `${column}_at ${direction}, number ${direction}`,
  });
  return { status: 200, body: issueAnswers(forge, rows), total };
};

export const createIssue: Handler = (forge, request) => {
  const wish = parseBody(createSchema, request.body, 'Issue');
  const number = forge.store.transaction(() => {
    const created = insertIssue(forge, request.caller.login, wish.title, wish.body ?? null);
    addLabels(forge, created, wish.labels ?? []);
    return created;
  });
  return { status: 201, body: issueOf(forge, requireIssue(forge, number)) };
};

export const updateIssue: Handler = async (forge, request) => {
  const row = findIssue(forge, request);
  const wish = parseBody(updateSchema, request.body, 'Issue');
  const applyState = await prepareState(forge, row, wish, request.caller.login);
  forge.store.transaction(() => {
    applyState();
    updateText(forge, row, wish);
    if (wish.labels !== undefined) setLabels(forge, row.number, wish.labels);
    touch(forge, row.number);
  });
  return { status: 200, body: issueOf(forge, requireIssue(forge, row.number)) };
};

export const addIssueLabels: Handler = (forge, request) => {
  const { number } = findIssue(forge, request);
  const { labels } = parseBody(z.object({ labels: labelNames }), request.body, 'Label');
  forge.store.transaction(() => {
    addLabels(forge, number, labels);
    touch(forge, number);
  });
  return { status: 200, body: labelsOf(forge, [number]).get(number) ?? [] };
};

export const removeIssueLabel: Handler = (forge, request) => {
  const { number } = findIssue(forge, request);
  const labels = labelsOf(forge, [number]).get(number) ?? [];
  const name = request.param('name').toLowerCase();
  const label = labels.find((candidate) => candidate.name.toLowerCase() === name);
  if (label === undefined) throw notFound('Label does not exist');
  forge.store.run('DELETE FROM issue_labels WHERE number = ? AND label_id = ?', number, label.id);
  touch(forge, number);
  return { status: 200, body: labels.filter((other) => other !== label) };
};

export const listComments: Handler = (forge, request) => {
  const { number } = findIssue(forge, request);
  const { rows, total } = selectPage(forge, request, commentRow, {
    from: 'comments',
    where: [['number = ?', number]],
    order: 'id',
  });
  return { status: 200, body: rows.map((row) => commentAnswer(forge, row)), total };
};

export const createComment: Handler = (forge, request) => {
  const { number } = findIssue(forge, request);
  const { body } = parseBody(z.object({ body: bodyText.min(1) }), request.body, 'IssueComment');
  const now = timestamp(forge.now());
  const row = { number, author: request.caller.login, body, created_at: now, updated_at: now };
  const sql = 'INSERT INTO comments (number, author, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?)';
  const id = forge.store.run(sql, ...Object.values(row));
  touch(forge, number);
  return { status: 201, body: commentAnswer(forge, { id, ...row }) };
};

const createSchema = z.object({ title: titleText, body: bodyText.nullish(), labels: labelNames.optional() });

const updateSchema = z.object({
  title: titleText.optional(),
  body: bodyText.nullish(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
  labels: labelNames.optional(),
});

/** Returns the number of the new issue, or of what is to become a pull request. */
export function insertIssue(forge: Forge, author: string, title: string, body: string | null): number {
  const now = timestamp(forge.now());
  const sql = 'INSERT INTO issues (author, title, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?)';
  return forge.store.run(sql, author, title, body, now, now);
}

/** Leaves alone what the wish does not name. */
export function updateText(
  forge: Forge,
  row: IssueRow,
  wish: { title?: string | undefined; body?: string | null | undefined },
): void {
  const body = wish.body === undefined ? row.body : wish.body;
  forge.store.run('UPDATE issues SET title = ?, body = ? WHERE number = ?', wish.title ?? row.title, body, row.number);
}

function findIssue(forge: Forge, request: APIRequest): IssueRow {
  return requireIssue(forge, numberParam(request, 'issue_number'));
}

function requireIssue(forge: Forge, number: number): IssueRow {
  const row = forge.store.get(issueRow, 'SELECT * FROM issue_entries WHERE number = ?', number);
  if (row === null) throw notFound();
  return row;
}

function issueOf(forge: Forge, row: IssueRow): Schemas['issue'] | undefined {
  return issueAnswers(forge, [row])[0];
}

function issueFilter(request: APIRequest): Selection['where'] {
  const state = choice(request, 'state', ['open', 'closed', 'all']);
  const conditions: [condition: string, value: string][] = [];
  if (state !== 'all') conditions.push(['state = ?', state]);
  const creator = request.query.get('creator');
  if (creator !== null) conditions.push(['author = ?', creator]);
  for (const label of request.query.get('labels')?.split(',') ?? []) {
    if (label.trim() === '') continue;
    const carriers = 'SELECT number FROM issue_labels JOIN labels ON labels.id = label_id WHERE name = ?';
    conditions.push([`number IN (${carriers})`, label.trim()]);
  }
  return conditions;
}

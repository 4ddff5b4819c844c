import { z } from 'zod';
import type { Forge, Schemas } from '../forge.ts';
import { associationOf, nodeID, userAnswer } from './user.ts';

/** A row of `issue_entries`: issues and pull requests alike. */
export const issueRow = z.object({
  number: z.number(),
  author: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  state: z.enum(['open', 'closed']),
  state_reason: z.enum(['completed', 'reopened', 'not_planned', 'duplicate']).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullable(),
  closed_by: z.string().nullable(),
  comments: z.number(),
  is_pull: z.number().transform(Boolean),
  draft: z.number().nullable().transform(Boolean),
  merged_at: z.string().nullable(),
});

export type IssueRow = z.infer<typeof issueRow>;

export function issueAnswers(forge: Forge, rows: readonly IssueRow[]): Schemas['issue'][] {
  const labels = labelsOf(
    forge,
    rows.map((row) => row.number),
  );
  return rows.map((row) => issueAnswer(forge, row, labels.get(row.number) ?? []));
}

export function labelAnswer(
  forge: Forge,
  label: { id: number; name: string },
): Schemas['label'] & { description: string } {
  return {
    id: label.id,
    node_id: nodeID('LA', label.id),
    url: `${forge.api}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    description: '',
    color: 'ededed',
    default: false,
  };
}

/** The labels of many issues with one query. */
export function labelsOf(forge: Forge, numbers: readonly number[]): Map<number, ReturnType<typeof labelAnswer>[]> {
  const rows = forge.store.all(
    z.object({ number: z.number(), id: z.number(), name: z.string() }),
    `SELECT number, id, name FROM issue_labels JOIN labels ON labels.id = label_id
     WHERE number IN (SELECT value FROM json_each(?)) ORDER BY issue_labels.rowid`,
    JSON.stringify(numbers),
  );
  const byNumber = Map.groupBy(rows, (row) => row.number);
  return new Map([...byNumber].map(([number, group]) => [number, group.map((label) => labelAnswer(forge, label))]));
}

export const commentRow = z.object({
  id: z.number(),
  number: z.number(),
  author: z.string(),
  body: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export function commentAnswer(forge: Forge, row: z.infer<typeof commentRow>): Schemas['issue-comment'] {
  return {
    id: row.id,
    node_id: nodeID('IC', row.id),
    url: `${forge.api}/issues/comments/${row.id}`,
    html_url: `${forge.html}/issues/${row.number}#issuecomment-${row.id}`,
    issue_url: `${forge.api}/issues/${row.number}`,
    user: userAnswer(forge, row.author),
    author_association: associationOf(row.author),
    body: row.body,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function issueAnswer(forge: Forge, row: IssueRow, labels: Schemas['label'][]): Schemas['issue'] {
  const url = `${forge.api}/issues/${row.number}`;
  return {
    id: 1_000_000 + row.number,
    node_id: nodeID('I', row.number),
    url,
    repository_url: forge.api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: `${forge.html}/${row.is_pull ? 'pull' : 'issues'}/${row.number}`,
    number: row.number,
    state: row.state,
    state_reason: row.state_reason,
    title: row.title,
    body: row.body,
    user: userAnswer(forge, row.author),
    author_association: associationOf(row.author),
    labels,
    assignee: null,
    assignees: [],
    milestone: null,
    locked: false,
    active_lock_reason: null,
    comments: row.comments,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    closed_by: row.closed_by === null ? null : userAnswer(forge, row.closed_by),
    ...(row.is_pull ? { draft: row.draft, pull_request: pullLinks(forge, row) } : {}),
  };
}

function pullLinks(forge: Forge, row: IssueRow): NonNullable<Schemas['issue']['pull_request']> {
  const html = `${forge.html}/pull/${row.number}`;
  return {
    url: `${forge.api}/pulls/${row.number}`,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    merged_at: row.merged_at,
  };
}

import { z } from 'zod';
import type { Forge, Schemas } from '../forge.ts';
import { nodeID } from './user.ts';

export const checkRunRow = z.object({
  id: z.number(),
  head_sha: z.string(),
  name: z.string(),
  status: z.enum(['queued', 'in_progress', 'completed']),
  conclusion: z.enum(['success', 'failure', 'timed_out']).nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  title: z.string().nullable(),
  summary: z.string().nullable(),
  text: z.string().nullable(),
});

export function checkRunAnswer(forge: Forge, row: z.infer<typeof checkRunRow>): Schemas['check-run'] {
  const url = `${forge.api}/check-runs/${row.id}`;
  const html = `${forge.html}/runs/${row.id}`;
  return {
    id: row.id,
    node_id: nodeID('CR', row.id),
    head_sha: row.head_sha,
    external_id: '',
    url,
    html_url: html,
    details_url: html,
    status: row.status,
    conclusion: row.conclusion,
    started_at: row.started_at,
    completed_at: row.completed_at,
    output: {
      title: row.title,
      summary: row.summary,
      text: row.text,
      annotations_count: 0,
      annotations_url: `${url}/annotations`,
    },
    name: row.name,
    check_suite: { id: row.id },
    app: null,
    pull_requests: [],
  };
}

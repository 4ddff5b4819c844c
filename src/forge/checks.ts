import { choice, pageOf } from './api.ts';
import type { Handler } from './api.ts';
import { checkRunAnswer, checkRunRow } from './answers/check-run.ts';
import type { Schemas } from './forge.ts';
import { requireCommit } from './repository.ts';

export const listCheckRuns: Handler = async (forge, request) => {
  const sha = await requireCommit(forge, request.param('ref'));
  const status = choice(request, 'status', ['', 'queued', 'in_progress', 'completed']);
  const name = request.query.get('check_name');
  const rows = forge.store
    .all(checkRunRow, 'SELECT * FROM check_runs WHERE head_sha = ? ORDER BY id DESC', sha)
    .filter((row) => (status === '' || row.status === status) && (name === null || row.name === name));
  const { size, offset } = pageOf(request.query);
  const page = rows.slice(offset, offset + size).map((row) => checkRunAnswer(forge, row));
  const body: { total_count: number; check_runs: Schemas['check-run'][] } = {
    total_count: rows.length,
    check_runs: page,
  };
  return { status: 200, body, total: rows.length };
};

import { selectPage } from './api.ts';
import type { Handler, Selection } from './api.ts';
import { checkRunAnswer, checkRunRow } from './answers/check-run.ts';
import type { Schemas } from './forge.ts';
import { requireCommit } from './repository.ts';

export const listCheckRuns: Handler = async (forge, request) => {
  const sha = await requireCommit(forge, request.param('ref'));
  const selection: Selection = { from: 'check_runs', where: [['head_sha = ?', sha]], order: 'id DESC' };
  const { rows, total } = selectPage(forge, request, checkRunRow, selection);
  const check_runs: Schemas['check-run'][] = rows.map((row) => checkRunAnswer(forge, row));
  return { status: 200, body: { total_count: total, check_runs }, total };
};

import { z } from 'zod';
import { labelAnswer } from './answers/issue.ts';
import { invalid, parseBody, selectPage } from './api.ts';
import type { Handler } from './api.ts';

const labelRow = z.object({ id: z.number(), name: z.string() });
const createSchema = z.object({ name: z.string().trim().min(1).max(50) });

/** Colour and description are not kept: every label looks the same here. */
export const createLabel: Handler = (forge, request) => {
  const { name } = parseBody(createSchema, request.body, 'Label');
  const known = forge.store.get(labelRow, 'SELECT id, name FROM labels WHERE name = ?', name);
  if (known !== null) throw invalid('Label', 'name', 'already_exists');
  const id = forge.store.run('INSERT INTO labels (name) VALUES (?)', name);
  return { status: 201, body: labelAnswer(forge, { id, name }) };
};

export const listLabels: Handler = (forge, request) => {
  const { rows, total } = selectPage(forge, request, labelRow, {
    from: 'labels',
    where: [['id > ?', 0]],
    order: 'name',
  });
  return { status: 200, body: rows.map((row) => labelAnswer(forge, row)), total };
};

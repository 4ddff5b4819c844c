import { z } from 'zod';
import { labelAnswer } from './answers/issue.ts';
import { invalid, parseBody, selectPage } from './api.ts';
import type { Handler } from './api.ts';
import { labelName } from './issue-fields.ts';

const labelRow = z.object({ id: z.number(), name: z.string() });
const createSchema = z.object({ name: labelName });

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
    where: [],
    order: 'name',
  });
  return { status: 200, body: rows.map((row) => labelAnswer(forge, row)), total };
};

import type { PlannerResult } from '../../domain/agent-result.ts';
import { formatTable } from './format-table.ts';
import { plainText } from './plain-text.ts';

/** A planner's result for people. */
export function formatPlan({ create, update, close }: PlannerResult): string {
  const parts: string[] = [];
  if (create.length > 0) {
    const rows = create.map((item) => [
      item.tempID,
      item.blockedBy.join(', ') || '-',
      item.labels.join(', ') || '-',
      item.title,
    ]);
    parts.push(`To create:\n${formatTable(['id', 'waits for', 'labels', 'title'], rows)}`);
    for (const { tempID, title, body } of create) parts.push(`${tempID}: ${title}\n${indent(body)}`);
  }
  if (update.length > 0) {
    const rows = update.map(({ workItemID, body, labels }) => [
      `#${workItemID}`,
      [body === null ? null : 'new text', labels === null ? null : `labels ${labels.join(', ')}`]
        .filter((change) => change !== null)
        .join('; '),
    ]);
    parts.push(`To update:\n${formatTable(['item', 'change'], rows)}`);
  }
  if (close.length > 0) parts.push(`To close: ${close.map((id) => `#${id}`).join(', ')}`);
  return plainText(parts.length === 0 ? 'The plan is empty: nothing is to be done.' : `${parts.join('\n\n')}\n`);
}

function indent(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
}

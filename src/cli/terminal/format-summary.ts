import path from 'node:path';
import type { DemoResult } from '../../demo/run-demo.ts';
import { formatAge } from './format-amounts.ts';
import { formatTable } from './format-table.ts';
import type { Terminal } from './terminal.ts';

/** What came of the demo, as a table, and where to look at it. */
export function formatSummary({ items, folder, isComplete, durationMs }: DemoResult, style: Terminal['style']): string {
  const rows = items.map((item) => [
    `#${item.number}`,
    item.title,
    item.status,
    item.prNumber === null ? '-' : `#${item.prNumber}`,
    String(item.reviews),
    String(Math.max(0, item.implementorRuns - 1)),
    formatAge(item.durationMs),
  ]);
  const table = formatTable(['item', 'title', 'status', 'pull request', 'reviews', 'rounds of changes', 'time'], rows);
  const verdict = isComplete
    ? style(
        'green',
        `Every work item was planned, implemented, reviewed, merged and closed in ${formatAge(durationMs)}.`,
      )
    : style('yellow', 'Not every work item reached its end.');
  const at = (...parts: string[]) => path.join(folder, ...parts);
  return `
${table}

${verdict}

The sample repository is left for a look:
  git -C ${at('forge', 'repository.git')} log --graph --oneline main
  git -C ${at('forge', 'repository.git')} show main:src/distance.js
  cd ${at('measure')} && decree runs    (then: decree logs <session>)
Remove it with: rm -r ${folder}
Next: \`decree init\` in a repository of your own.`;
}

import type { DemoResult } from '../demo/run-demo.ts';

/** What came of the demo, as a table, and where to look at it. */
export function formatSummary({ items, folder, isComplete }: DemoResult): string {
  const rows = [
    ['item', 'title', 'status', 'pull request', 'implementor runs', 'reviews'],
    ...items.map((item) => [
      `#${item.number}`,
      item.title,
      item.status,
      item.prNumber === null ? '-' : `#${item.prNumber}`,
      String(item.implementorRuns),
      String(item.reviews),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const verdict = isComplete
    ? 'Every work item was planned, implemented, reviewed, merged and closed.'
    : 'Not every work item reached its end.';
  return [
    '',
    ...lines,
    '',
    verdict,
    `Look at the repository with: git -C ${folder}/forge/repository.git log --graph`,
  ].join('\n');
}

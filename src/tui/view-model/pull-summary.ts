import type { PipelineResult, Revision } from '../../domain/revision.ts';
import type { PRFileEntry, PRReview } from '../../engine/query-port.ts';
import type { LoadedDetails, PullDetails } from './item-details.ts';
import { formatNumberOf } from './format-amounts.ts';
import type { Line } from './line.ts';
import { cellsOfLine, fitLine, joinLines, span } from './line.ts';
import { markdownLines } from './markdown-lines.ts';
import { clean } from './text-cells.ts';

const LISTED_FILES = 8;
const REVIEW_LINES = 12;

/** The pull request in short: CI, what it changes, what the last review said. */
export function pullLines(revision: Revision, details: LoadedDetails, width: number): Line[] {
  const head = joinLines([
    [span(`Pull request #${revision.id}`, 'strong')],
    revision.isDraft ? [span('draft', 'warn')] : [],
    revision.isMergeable === false ? [span('has conflicts', 'bad')] : [],
    [span(clean(revision.headRef), 'dim')],
  ]);
  const pull = details.state === 'ready' ? details.value.pull : null;
  const lines: Line[] = [
    head,
    [span('  '), ...ciLine(revision.pipeline)],
    ...(pull === null ? [] : [...checkLines(pull), ...fileLines(pull.files), ...reviewLines(pull, width)]),
    [span('  '), span(clean(revision.url), 'dim')],
  ];
  return lines.map((line) => fitLine(line, width));
}

function ciLine(pipeline: PipelineResult | null): Line {
  if (pipeline === null) return [span('? CI is not known', 'dim')];
  if (pipeline.status === 'success') return [span('✓ CI passed', 'good')];
  if (pipeline.status === 'failure') {
    return [span('✗ CI failed', 'bad'), span(pipeline.reason === null ? '' : `: ${clean(pipeline.reason)}`)];
  }
  return pipeline.checkCount === 0 ? [span('- no CI so far', 'dim')] : [span('… CI is running', 'plain')];
}

function checkLines({ ci }: PullDetails): Line[] {
  return ci.failedCheckRuns.map(({ name, conclusion, detailsURL }) => [
    span(`    ${clean(name)}`),
    span(` ${conclusion ?? ''} ${clean(detailsURL)}`, 'dim'),
  ]);
}

function fileLines(files: readonly PRFileEntry[]): Line[] {
  const counts = files.map(countLines);
  const added = counts.reduce((sum, count) => sum + count.added, 0);
  const removed = counts.reduce((sum, count) => sum + count.removed, 0);
  const total: Line = [span(`  ${formatNumberOf(files.length, 'file')}  `), ...changeSpans(added, removed)];
  const listed = files.slice(0, LISTED_FILES).map((file, index): Line => {
    const { added, removed } = counts[index] ?? { added: 0, removed: 0 };
    const name = [span(`    ${file.status.charAt(0).toUpperCase()} `, 'dim'), span(`${clean(file.filename)}  `)];
    return [...name, ...changeSpans(added, removed)];
  });
  const rest = files.length - LISTED_FILES;
  return [total, ...listed, ...(rest > 0 ? [[span(`    and ${rest} more`, 'dim')]] : [])];
}

function changeSpans(added: number, removed: number): Line {
  return [span(`+${added}`, 'good'), span(` -${removed}`, 'bad')];
}

function countLines({ patch = '' }: PRFileEntry): { added: number; removed: number } {
  const lines = patch.split('\n');
  const starting = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { added: starting('+'), removed: starting('-') };
}

const REVIEW_WORDS: Readonly<Record<PRReview['state'], string>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'asked for changes',
  COMMENTED: 'commented',
  DISMISSED: 'was dismissed',
  PENDING: 'is not finished',
};

function reviewLines({ reviews: { reviews, comments } }: PullDetails, width: number): Line[] {
  const last = reviews.at(-1);
  if (last === undefined) return [[span('  no review yet', 'dim')]];
  const remarks = comments.length === 0 ? [] : [span(formatNumberOf(comments.length, 'remark'), 'dim')];
  const head = joinLines([[span(`  ${clean(last.author)} ${REVIEW_WORDS[last.state]}`)], remarks]);
  const body = markdownLines(last.body, width - 4);
  const shown = body
    .slice(0, REVIEW_LINES)
    .map((line): Line => (cellsOfLine(line) === 0 ? line : [span('    '), ...line]));
  return [head, ...shown, ...(body.length > REVIEW_LINES ? [[span('    ...', 'dim')]] : [])];
}

import { createHash } from 'node:crypto';
import type { Closure, WorkItem } from '../../../domain/work-item.ts';
import type { IssueData } from '../github-client/answers.ts';
import { stripMetadata } from './body-metadata.ts';
import { parseDependencyMetadata } from './parse-dependency-metadata.ts';
import { parseLabels } from './parse-labels.ts';

export function mapIssueToWorkItem(issue: IssueData, linkedRevision: string | null): WorkItem {
  const { status, priority, complexity, isTask } = parseLabels(issue.labels);
  const body = issue.body ?? '';
  const closedAs = closureOf(issue);
  return {
    id: String(issue.number),
    title: issue.title,
    // The forge closes items on its own when a revision is merged; the label then still says what it was before.
    status: closedAs === null ? status : 'closed',
    priority,
    complexity,
    blockedBy: parseDependencyMetadata(body),
    createdAt: issue.created_at,
    linkedRevision,
    closedAs,
    isTracked: closedAs === null && isTask && issue.pull_request === undefined,
    contentDigest: digest(issue.title, body),
  };
}

/** Pull requests are issues too, and can be named as blockers: they are completed when merged. */
function closureOf(issue: IssueData): Closure | null {
  if (issue.state !== 'closed') return null;
  if (issue.pull_request !== undefined)
    return (issue.pull_request.merged_at ?? null) === null ? 'not-planned' : 'completed';
  return (issue.state_reason ?? 'completed') === 'completed' ? 'completed' : 'not-planned';
}

function digest(title: string, body: string): string {
  const content = JSON.stringify([title, stripMetadata(body).trimEnd()]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

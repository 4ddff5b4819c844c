import type { WorkProviderReader } from '../../ports.ts';
import { IssueData } from '../github-client/answers.ts';
import { stripMetadata } from '../mapping/body-metadata.ts';
import { mapIssueToWorkItem } from '../mapping/map-issue-to-work-item.ts';
import { TASK_LABEL } from '../mapping/parse-labels.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { nullIfNotFound, resourceNumber } from '../resource-number.ts';
import type { RevisionSource } from './revision-source.ts';

export function createWorkItemReader(
  { client, calls, at }: RepositoryAccess,
  revisions: RevisionSource,
): WorkProviderReader {
  const readIssue = async (id: string) => {
    const issue_number = resourceNumber(id);
    return calls.repeatable(IssueData, () => client.issues.get({ ...at, issue_number }));
  };

  return {
    async listWorkItems() {
      const [issues, links] = await Promise.all([
        calls.list(IssueData, (page) =>
          client.issues.listForRepo({
            ...at,
            ...page,
            state: 'open',
            labels: TASK_LABEL,
            sort: 'created',
            direction: 'asc',
          }),
        ),
        revisions.links(),
      ]);
      const items = issues.map((issue) => mapIssueToWorkItem(issue, links.get(String(issue.number)) ?? null));
      // GitHub lists pull requests among the issues, and a moving list can show an entry twice.
      return [...new Map(items.filter((item) => item.isTracked).map((item) => [item.id, item])).values()];
    },

    getWorkItem: (id) =>
      nullIfNotFound(async () => {
        const [issue, links] = await Promise.all([readIssue(id), revisions.links()]);
        return mapIssueToWorkItem(issue, links.get(id) ?? null);
      }),

    getWorkItemBody: async (id) => stripMetadata((await readIssue(id)).body ?? ''),
  };
}

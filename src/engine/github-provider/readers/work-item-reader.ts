import type { WorkProviderReader } from '../../ports.ts';
import { IssueData } from '../github-client/answers.ts';
import { stripMetadata } from '../mapping/body-metadata.ts';
import { mapIssueToWorkItem } from '../mapping/map-issue-to-work-item.ts';
import { TASK_LABEL } from '../mapping/parse-labels.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { nullIfNotFound } from '../resource-number.ts';
import { readIssue } from './read-issue.ts';
import type { RevisionSource } from './revision-source.ts';

export function createWorkItemReader(access: RepositoryAccess, revisions: RevisionSource): WorkProviderReader {
  const { client, calls, at } = access;

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

    async getWorkItem(id) {
      // Only the issue itself can be missing: trouble with the rest must not look like an item that is gone.
      const [issue, links] = await Promise.all([nullIfNotFound(() => readIssue(access, id)), revisions.links()]);
      return issue === null ? null : mapIssueToWorkItem(issue, links.get(id) ?? null);
    },

    getWorkItemBody: async (id) => stripMetadata((await readIssue(access, id)).body ?? ''),
  };
}

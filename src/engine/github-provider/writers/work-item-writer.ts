import type { Closure, WorkItemStatus } from '../../../domain/work-item.ts';
import type { WorkProviderWriter } from '../../ports.ts';
import { IssueData } from '../github-client/answers.ts';
import type { IssuesUpdateParams } from '../github-client/types.ts';
import { blockedByNote, carriesKey, extractMetadata, runNote, withMetadata } from '../mapping/body-metadata.ts';
import { mapIssueToWorkItem } from '../mapping/map-issue-to-work-item.ts';
import { isReserved, isStatusLabel, labelNames, TASK_LABEL, uniqueLabels } from '../mapping/parse-labels.ts';
import { readIssue } from '../readers/read-issue.ts';
import type { RevisionSource } from '../readers/revision-source.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resourceNumber } from '../resource-number.ts';
import { createCommentWriter } from './comment-writer.ts';

/** How many of the app's own issues are looked through for a key, newest first. */
const MAX_SEARCHED_ISSUES = 2_000;

export function createWorkItemWriter(access: RepositoryAccess, revisions: RevisionSource): WorkProviderWriter {
  const { client, calls, at, botName } = access;
  const comments = createCommentWriter(access);

  const update = (changes: Omit<IssuesUpdateParams, 'owner' | 'repo'>) =>
    calls.repeatable(IssueData, () => client.issues.update({ ...at, ...changes }));

  const setStatus = async (workItemID: string, status: WorkItemStatus, closing: Closing | null) => {
    const issue_number = resourceNumber(workItemID);
    const names = labelNames((await readIssue(access, workItemID)).labels);
    const labels = [...names.filter((name) => !isStatusLabel(name)), `status:${status}`];
    // One absolute update: no poll can see the item between two statuses.
    await update({ issue_number, labels, ...closing });
  };

  return {
    transitionStatus: (workItemID, newStatus) =>
      setStatus(workItemID, newStatus, newStatus === 'closed' ? closingAs('completed') : null),

    closeWorkItem: (workItemID, closure) => setStatus(workItemID, 'closed', closingAs(closure)),

    async createWorkItem(title, body, labels, blockedBy, options = {}) {
      const text = withMetadata(body, [...blockedByNote(blockedBy), ...runNote(options.key)]);
      const issue = await calls.creating(IssueData, () =>
        client.issues.create({ ...at, title, body: text, labels: uniqueLabels([TASK_LABEL, ...labels]) }),
      );
      return mapIssueToWorkItem(issue, null);
    },

    async findWorkItem(key) {
      const creator = await botName();
      let searched = 0;
      const isFound = ({ user, pull_request, body }: IssueData) =>
        user?.login === creator && pull_request === undefined && carriesKey(body, key);
      const issues = await calls.list(
        IssueData,
        (page) =>
          client.issues.listForRepo({ ...at, ...page, creator, state: 'all', sort: 'created', direction: 'desc' }),
        (page) => {
          searched += page.length;
          return searched >= MAX_SEARCHED_ISSUES || page.some(isFound);
        },
      );
      const issue = issues.find(isFound);
      if (issue === undefined) return null;
      return mapIssueToWorkItem(issue, (await revisions.links()).get(String(issue.number)) ?? null);
    },

    async updateWorkItem(workItemID, body, labels) {
      if (body === null && labels === null) return;
      const issue_number = resourceNumber(workItemID);
      const issue = await readIssue(access, workItemID);
      const reserved = labelNames(issue.labels).filter(isReserved);
      const free = labels?.filter((name) => !isReserved(name));
      await update({
        issue_number,
        ...(body === null ? {} : { body: withMetadata(body, extractMetadata(issue.body ?? '')) }),
        ...(free === undefined ? {} : { labels: uniqueLabels([...reserved, ...free]) }),
      });
    },

    postWorkItemComment: (workItemID, body, options) => comments.post(workItemID, body, options),
    findWorkItemComment: (workItemID, key) => comments.find(workItemID, key),
  };
}

type Closing = Required<Pick<IssuesUpdateParams, 'state' | 'state_reason'>>;

function closingAs(closure: Closure): Closing {
  return { state: 'closed', state_reason: closure === 'completed' ? 'completed' : 'not_planned' };
}

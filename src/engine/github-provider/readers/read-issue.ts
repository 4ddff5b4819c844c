import { ProviderError } from '../../../domain/provider-error.ts';
import { IssueData } from '../github-client/answers.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resourceNumber } from '../resource-number.ts';

/** Any issue by id, pull requests included. Rejects with `not-found`. */
export async function readIssue({ client, calls, at }: RepositoryAccess, id: string): Promise<IssueData> {
  const issue_number = resourceNumber(id);
  const issue = await calls.repeatable(IssueData, () => client.issues.get({ ...at, issue_number }));
  // GitHub redirects to where an issue was transferred to: it is another repository's now, under another number.
  if (issue.number === issue_number) return issue;
  throw new ProviderError('not-found', `Issue #${id} has been moved to another repository`);
}

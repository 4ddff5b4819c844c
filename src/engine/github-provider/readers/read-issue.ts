import { ProviderError } from '../../../domain/provider-error.ts';
import { IssueData } from '../github-client/answers.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resourceNumber } from '../resource-number.ts';

/** Any issue by id, pull requests included. Rejects with `not-found`. */
export async function readIssue({ client, calls, at }: RepositoryAccess, id: string): Promise<IssueData> {
  const issue_number = resourceNumber(id);
  const issue = await calls.repeatable(IssueData, () => client.issues.get({ ...at, issue_number }));
  // A transferred issue is another repository's. Redirects to it are not followed; a proxy may do that for us.
  if (issue.number === issue_number) return issue;
  throw new ProviderError('not-found', `Issue #${id} has been moved to another repository`);
}

import type { CheckRun } from '../../../domain/revision.ts';
import type { RevisionProviderReader } from '../../ports.ts';
import type { CICheckRun, EngineQueries } from '../../query-port.ts';
import { PullRequestDetailData } from '../github-client/answers.ts';
import { isFailed } from '../mapping/derive-pipeline-status.ts';
import { stripMetadata } from '../mapping/body-metadata.ts';
import { linkRevisions } from '../mapping/map-pr-to-revision.ts';
import { labelNames } from '../mapping/parse-labels.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { readIssue } from './read-issue.ts';
import type { PipelineReader } from './pipeline-reader.ts';
import type { RevisionSource } from './revision-source.ts';

/** The public queries, in the public types. Linkage and CI status are judged by the same code as in the readers. */
export function createQueries(
  access: RepositoryAccess,
  revisions: RevisionSource,
  revisionReader: RevisionProviderReader,
  pipelines: PipelineReader,
): EngineQueries {
  const { client, calls, at } = access;
  const readPR = (pull_number: number) =>
    calls.repeatable(PullRequestDetailData, () => client.pulls.get({ ...at, pull_number }));

  return {
    async getIssueDetails(issueNumber) {
      const issue = await readIssue(access, String(issueNumber));
      return {
        number: issue.number,
        title: issue.title,
        body: stripMetadata(issue.body ?? ''),
        labels: labelNames(issue.labels),
        createdAt: issue.created_at,
      };
    },

    async getPRForIssue(issueNumber, { includeDrafts = false } = {}) {
      const [open, scope] = await Promise.all([revisions.listOpen(), revisions.scope()]);
      const candidates = open.filter((pr) => includeDrafts || !(pr.draft ?? false));
      const linked = linkRevisions(candidates, scope).get(String(issueNumber));
      if (linked === undefined) return null;
      const pr = await readPR(Number(linked));
      const { pipeline } = await pipelines.read(pr.head.sha);
      return {
        number: pr.number,
        title: pr.title,
        changedFilesCount: pr.changed_files,
        ciStatus: pipeline.status,
        url: pr.html_url,
        isDraft: pr.draft ?? false,
        headRefName: pr.head.ref,
      };
    },

    async getPRFiles(prNumber) {
      const files = await revisionReader.getRevisionFiles(String(prNumber));
      return files.map(({ path, status, patch }) => ({ filename: path, status, ...(patch === null ? {} : { patch }) }));
    },

    async getPRReviews(prNumber) {
      const history = await revisionReader.getReviewHistory(String(prNumber));
      return {
        reviews: history.reviews.map(({ id, author, state, body }) => ({ id: Number(id), author, state, body })),
        comments: history.inlineComments.map(({ id, author, body, path, line }) => ({
          id: Number(id),
          author,
          body,
          path,
          line,
        })),
      };
    },

    async getCIStatus(prNumber) {
      const { pipeline, checkRuns } = await pipelines.read((await readPR(prNumber)).head.sha);
      return { overall: pipeline.status, failedCheckRuns: checkRuns.filter(isFailed).map(toPublicCheck) };
    },
  };
}

/** The public type has no word for a check that could not even start: it failed. */
function toPublicCheck({ name, status, conclusion, detailsURL }: CheckRun): CICheckRun {
  return { name, status, conclusion: conclusion === 'startup_failure' ? 'failure' : conclusion, detailsURL };
}

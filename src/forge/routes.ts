import type { Handler } from './api.ts';
import { createAccessToken, getApp, getInstallation } from './apps.ts';
import { listCheckRuns } from './checks.ts';
import { createBlob, createCommit, createRef, getBlob, getCommit, getRef, updateRef } from './git-data.ts';
import * as issues from './issues.ts';
import { createLabel, listLabels } from './labels.ts';
import { mergeBranch, mergePull } from './merging.ts';
import * as pulls from './pulls.ts';
import { getCombinedStatus, getContents, getRepository } from './repository.ts';
import { createReview, dismissReview, listReviewComments, listReviews } from './reviews.ts';
import { createTree, getTree } from './trees.ts';

export type Access =
  'app' | `${'checks' | 'contents' | 'issues' | 'metadata' | 'pull_requests' | 'statuses'}:${'read' | 'write'}`;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** As GitHub's documentation and Octokit write it. */
  readonly path: string;
  /** `app` is for the app's own key; the rest are permissions of an installation. */
  readonly access: Access;
  readonly handler: Handler;
}

/** Everything the forge serves besides git itself. */
export const routes: readonly Route[] = [
  route('GET', '/app', 'app', getApp),
  route('GET', '/app/installations/{installation_id}', 'app', getInstallation),
  route('POST', '/app/installations/{installation_id}/access_tokens', 'app', createAccessToken),

  repo('GET', '', 'metadata:read', getRepository),
  repo('GET', '/contents/{path}', 'contents:read', getContents),
  repo('POST', '/merges', 'contents:write', mergeBranch),
  repo('GET', '/commits/{ref}/status', 'statuses:read', getCombinedStatus),
  repo('GET', '/commits/{ref}/check-runs', 'checks:read', listCheckRuns),

  repo('GET', '/issues', 'issues:read', issues.listIssues),
  repo('POST', '/issues', 'issues:write', issues.createIssue),
  repo('GET', '/issues/{issue_number}', 'issues:read', issues.getIssue),
  repo('PATCH', '/issues/{issue_number}', 'issues:write', issues.updateIssue),
  repo('POST', '/issues/{issue_number}/labels', 'issues:write', issues.addIssueLabels),
  repo('DELETE', '/issues/{issue_number}/labels/{name}', 'issues:write', issues.removeIssueLabel),
  repo('GET', '/issues/{issue_number}/comments', 'issues:read', issues.listComments),
  repo('POST', '/issues/{issue_number}/comments', 'issues:write', issues.createComment),

  repo('GET', '/labels', 'issues:read', listLabels),
  repo('POST', '/labels', 'issues:write', createLabel),

  repo('GET', '/pulls', 'pull_requests:read', pulls.listPulls),
  repo('POST', '/pulls', 'pull_requests:write', pulls.createPull),
  repo('GET', '/pulls/{pull_number}', 'pull_requests:read', pulls.getPull),
  repo('PATCH', '/pulls/{pull_number}', 'pull_requests:write', pulls.updatePull),
  repo('GET', '/pulls/{pull_number}/files', 'pull_requests:read', pulls.listPullFiles),
  repo('PUT', '/pulls/{pull_number}/merge', 'contents:write', mergePull),
  repo('GET', '/pulls/{pull_number}/comments', 'pull_requests:read', listReviewComments),
  repo('GET', '/pulls/{pull_number}/reviews', 'pull_requests:read', listReviews),
  repo('POST', '/pulls/{pull_number}/reviews', 'pull_requests:write', createReview),
  repo('PUT', '/pulls/{pull_number}/reviews/{review_id}/dismissals', 'pull_requests:write', dismissReview),

  repo('POST', '/git/blobs', 'contents:write', createBlob),
  repo('GET', '/git/blobs/{file_sha}', 'contents:read', getBlob),
  repo('POST', '/git/commits', 'contents:write', createCommit),
  repo('GET', '/git/commits/{commit_sha}', 'contents:read', getCommit),
  repo('GET', '/git/ref/{ref}', 'contents:read', getRef),
  repo('POST', '/git/refs', 'contents:write', createRef),
  repo('PATCH', '/git/refs/{ref}', 'contents:write', updateRef),
  repo('POST', '/git/trees', 'contents:write', createTree),
  repo('GET', '/git/trees/{tree_sha}', 'contents:read', getTree),
];

function route(method: Route['method'], path: string, access: Access, handler: Handler): Route {
  return { method, path, access, handler };
}

function repo(method: Route['method'], path: string, access: Access, handler: Handler): Route {
  return route(method, `/repos/{owner}/{repo}${path}`, access, handler);
}

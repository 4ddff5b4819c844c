import { count } from '../api.ts';
import type { Forge, Schemas } from '../forge.ts';
import { DEFAULT_BRANCH } from '../git-repository.ts';
import { readSetting } from '../identity.ts';
import { nodeID, userAnswer } from './user.ts';

/** One object that is all three of GitHub's descriptions of a repository. */
export function repositoryAnswer(
  forge: Forge,
): Schemas['full-repository'] & Schemas['repository'] & Schemas['minimal-repository'] {
  const { owner, repo, createdAt } = forge.identity;
  const open = count(forge, `FROM issues WHERE state = 'open'`);
  const pushedAt = readSetting(forge.store, 'pushed_at') ?? createdAt;
  return {
    id: 1,
    node_id: nodeID('R', 1),
    name: repo,
    full_name: `${owner}/${repo}`,
    owner: userAnswer(forge, owner),
    private: true,
    description: null,
    fork: false,
    homepage: null,
    language: null,
    license: null,
    size: 0,
    default_branch: DEFAULT_BRANCH,
    archived: false,
    disabled: false,
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: false,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: false,
    has_discussions: false,
    forks: 0,
    forks_count: 0,
    network_count: 0,
    stargazers_count: 0,
    subscribers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: open,
    open_issues_count: open,
    created_at: createdAt,
    pushed_at: pushedAt,
    updated_at: pushedAt,
    ...repositoryURLs(forge),
  };
}

function repositoryURLs({ api, html }: Forge) {
  return {
    url: api,
    html_url: html,
    clone_url: `${html}.git`,
    git_url: `${html}.git`,
    ssh_url: `${html}.git`,
    svn_url: html,
    mirror_url: null,
    archive_url: `${api}/{archive_format}{/ref}`,
    assignees_url: `${api}/assignees{/user}`,
    blobs_url: `${api}/git/blobs{/sha}`,
    branches_url: `${api}/branches{/branch}`,
    collaborators_url: `${api}/collaborators{/collaborator}`,
    comments_url: `${api}/comments{/number}`,
    commits_url: `${api}/commits{/sha}`,
    compare_url: `${api}/compare/{base}...{head}`,
    contents_url: `${api}/contents/{+path}`,
    contributors_url: `${api}/contributors`,
    deployments_url: `${api}/deployments`,
    downloads_url: `${api}/downloads`,
    events_url: `${api}/events`,
    forks_url: `${api}/forks`,
    git_commits_url: `${api}/git/commits{/sha}`,
    git_refs_url: `${api}/git/refs{/sha}`,
    git_tags_url: `${api}/git/tags{/sha}`,
    hooks_url: `${api}/hooks`,
    issue_comment_url: `${api}/issues/comments{/number}`,
    issue_events_url: `${api}/issues/events{/number}`,
    issues_url: `${api}/issues{/number}`,
    keys_url: `${api}/keys{/key_id}`,
    labels_url: `${api}/labels{/name}`,
    languages_url: `${api}/languages`,
    merges_url: `${api}/merges`,
    milestones_url: `${api}/milestones{/number}`,
    notifications_url: `${api}/notifications{?since,all,participating}`,
    pulls_url: `${api}/pulls{/number}`,
    releases_url: `${api}/releases{/id}`,
    stargazers_url: `${api}/stargazers`,
    statuses_url: `${api}/statuses/{sha}`,
    subscribers_url: `${api}/subscribers`,
    subscription_url: `${api}/subscription`,
    tags_url: `${api}/tags`,
    teams_url: `${api}/teams`,
    trees_url: `${api}/git/trees{/sha}`,
  };
}

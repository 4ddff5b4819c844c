import type { Forge, Schemas } from '../forge.ts';
import { APP_SLUG, HUMAN } from '../identity.ts';

export function userAnswer(forge: Forge, login: string): Schemas['simple-user'] {
  const isHuman = login === HUMAN;
  const url = `${forge.url}/users/${encodeURIComponent(login)}`;
  const html = isHuman ? `${forge.url}/${login}` : `${forge.url}/apps/${APP_SLUG}`;
  const id = isHuman ? 1 : 2;
  return {
    login,
    id,
    node_id: nodeID('U', id),
    avatar_url: `${html}.png`,
    gravatar_id: '',
    url,
    html_url: html,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: isHuman ? 'User' : 'Bot',
    site_admin: false,
  };
}

/** The human owns the repository. The app is nobody there; what it may do comes from its installation. */
export function associationOf(login: string): Schemas['author-association'] {
  return login === HUMAN ? 'OWNER' : 'NONE';
}

export function appAnswer(forge: Forge): NonNullable<Schemas['integration']> {
  const { appID, owner, createdAt } = forge.identity;
  return {
    id: appID,
    slug: APP_SLUG,
    node_id: nodeID('A', appID),
    owner: userAnswer(forge, owner),
    name: APP_SLUG,
    description: null,
    external_url: forge.url,
    html_url: `${forge.url}/apps/${APP_SLUG}`,
    created_at: createdAt,
    updated_at: createdAt,
    permissions: { ...forge.permissions },
    events: [],
    installations_count: 1,
  };
}

export function installationAnswer(forge: Forge): Schemas['installation'] {
  const { appID, installationID, owner, createdAt } = forge.identity;
  return {
    id: installationID,
    account: userAnswer(forge, owner),
    repository_selection: 'selected',
    access_tokens_url: `${forge.url}/app/installations/${installationID}/access_tokens`,
    repositories_url: `${forge.url}/installation/repositories`,
    html_url: `${forge.url}/settings/installations/${installationID}`,
    app_id: appID,
    target_id: 1,
    target_type: 'User',
    permissions: forge.permissions,
    events: [],
    created_at: createdAt,
    updated_at: createdAt,
    single_file_name: null,
    app_slug: APP_SLUG,
    suspended_by: null,
    suspended_at: null,
  };
}

export const nodeID = (kind: string, id: number | string): string =>
  `${kind}_${Buffer.from(`${kind}:${id}`).toString('base64url')}`;

/** How git names an account as an author. */
export function gitIdentity(login: string): { name: string; email: string } {
  return { name: login, email: `${login === HUMAN ? 1 : 2}+${login}@users.noreply.localhost` };
}

/** How git names the forge itself as a committer. */
export const FORGE_IDENTITY = { name: 'decree forge', email: 'noreply@localhost' } as const;

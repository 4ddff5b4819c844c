import { ProviderError } from '../../domain/provider-error.ts';
import { RepositoryNameData } from './github-client/answers.ts';
import type { Answer, GitHubClient } from './github-client/types.ts';
import { readFailure } from './request-failure.ts';

type Repositories = Pick<GitHubClient, 'repos'>;

interface RepositoryName {
  readonly owner: string;
  readonly repo: string;
}

/** Why nothing of the repository can be seen, or null if it can be. Sends one request, which is not repeated. */
export async function whyRepositoryHidden(
  client: Repositories,
  { owner, repo }: RepositoryName,
  now: number,
): Promise<ProviderError | null> {
  const found = await readName(client, { owner, repo }, now);
  // What it is called does not matter here, nor whether that can be read.
  return found instanceof ProviderError && found.kind !== 'malformed' ? found : null;
}

/**
 * Why the forge points elsewhere. `not-found` only if it says of our own repository that this has moved to another one:
 * neither a repository that was renamed nor a proxy that wants a login makes anything gone.
 */
export async function whyMoved(
  client: Repositories,
  at: RepositoryName,
  { status, url, headers: { location = '' } }: Answer<unknown>,
  now: number,
): Promise<ProviderError> {
  const target = URL.parse(location, url);
  const where = `${url} answered ${status} and points to ${location === '' ? 'nowhere' : location}`;
  const isOnForge = target !== null && /\/(repositories\/\d+|repos\/[^/]+\/[^/]+)\//.test(target.pathname);
  if (!isOnForge || target.pathname === URL.parse(url)?.pathname) {
    const advice = 'Check `githubBaseURL`, and whether a proxy on the way wants you to sign in.';
    return new ProviderError('malformed', `${where}. ${advice}`);
  }
  const name = await readName(client, at, now);
  if (name instanceof ProviderError) return name;
  const configured = `${at.owner}/${at.repo}`;
  if (name.toLowerCase() === configured.toLowerCase()) {
    return new ProviderError('not-found', `${where}: it has been moved to another repository`);
  }
  const advice = `Set \`repository\` to '${name}' in your configuration and start decree again; nothing is lost.`;
  return new ProviderError('forbidden', `The repository ${configured} is called ${name} now. ${advice}`);
}

/** What the forge calls it now, or why it does not say. One request, which is not repeated. */
async function readName(client: Repositories, { owner, repo }: RepositoryName, now: number) {
  try {
    const answer = await client.repos.get({ owner, repo });
    const parsed = RepositoryNameData.safeParse(answer.data);
    if (parsed.success) return parsed.data.full_name;
    return new ProviderError('malformed', `${answer.url} answered ${answer.status} without a name`);
  } catch (thrown) {
    const { error } = readFailure(thrown, now);
    if (error.kind !== 'not-found') return error;
    const advice = 'Check its name, and that the app is still installed on it.';
    return new ProviderError('forbidden', `The app cannot see the repository ${owner}/${repo}. ${advice}`, {
      cause: thrown,
    });
  }
}

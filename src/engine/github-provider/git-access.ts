import { ProviderError } from '../../domain/provider-error.ts';
import type { GitAccess } from '../ports.ts';
import type { GitHubClient } from './github-client/types.ts';
import { readFailure } from './request-failure.ts';
import type { RepositoryAccess } from './repository-access.ts';

/** git over HTTPS with a token of the installation, as GitHub documents it: user `x-access-token`. */
export async function readGitAccess(
  { client, at }: Pick<RepositoryAccess, 'at'> & { readonly client: Pick<GitHubClient, 'getInstallationToken'> },
  { baseURL, gitURL }: { readonly baseURL?: string; readonly gitURL?: string },
  now: number,
): Promise<GitAccess> {
  const url = cloneURL(gitURL ?? `${webRoot(baseURL)}/${at.owner}/${at.repo}.git`);
  try {
    const token = await client.getInstallationToken();
    return { url, authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}` };
  } catch (thrown) {
    throw readFailure(thrown, now).error;
  }
}

/** A credential in the address would end up in configuration files and error messages. */
function cloneURL(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ProviderError('rejected', 'The address to clone from is not an HTTP URL. Check `gitURL`.');
  url.username = '';
  url.password = '';
  return url.href;
}

/** `https://host/api/v3` is the API of the GitHub Enterprise at `https://host`. */
function webRoot(baseURL: string | undefined): string {
  if (baseURL === undefined || URL.parse(baseURL)?.host === 'api.github.com') return 'https://github.com';
  return baseURL.replace(/\/+$/, '').replace(/\/api\/v3$/, '');
}

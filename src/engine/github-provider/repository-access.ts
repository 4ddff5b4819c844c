import { AppData } from './github-client/answers.ts';
import type { GitHubClient } from './github-client/types.ts';
import type { ForgeCalls } from './forge-calls.ts';
import { ProviderError } from '../../domain/provider-error.ts';
import { readFailure } from './request-failure.ts';

/** One repository, and the way to call the forge about it. Shared by all readers and writers. */
export interface RepositoryAccess {
  readonly client: GitHubClient;
  readonly calls: ForgeCalls;
  /** Spread into the parameters of every client call. */
  readonly at: { readonly owner: string; readonly repo: string };
  readonly defaultBranch: string;
  readonly installationID: number;
  /** The login under which the app writes, `<slug>[bot]`; asked once, on first use. */
  readonly botName: () => Promise<string>;
}

/** A failure is not kept: the next call asks again. */
export function createBotName(client: GitHubClient, calls: ForgeCalls): () => Promise<string> {
  let asked: Promise<string> | null = null;

  const ask = async () => {
    const slug = (await calls.repeatable(AppData, () => client.apps.getAuthenticated()))?.slug;
    if (slug === undefined) throw new ProviderError('malformed', 'GET /app did not name the app: `slug` is missing');
    return `${slug}[bot]`;
  };

  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = null;
      throw error;
    });
    return asked;
  };
}

/** Why nothing of the repository can be seen, or null if it can be. Sends one request, which is not repeated. */
export async function whyRepositoryHidden(
  client: Pick<GitHubClient, 'repos'>,
  { owner, repo }: { readonly owner: string; readonly repo: string },
  now: number,
): Promise<ProviderError | null> {
  try {
    await client.repos.get({ owner, repo });
    return null;
  } catch (thrown) {
    const { error } = readFailure(thrown, now);
    if (error.kind !== 'not-found') return error;
    const advice = 'Check its name, and that the app is still installed on it.';
    return new ProviderError('forbidden', `The app cannot see the repository ${owner}/${repo}. ${advice}`, {
      cause: thrown,
    });
  }
}

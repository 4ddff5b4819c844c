import { AppData } from './github-client/answers.ts';
import type { GitHubClient } from './github-client/types.ts';
import type { ForgeCalls } from './forge-calls.ts';
import { ProviderError } from '../../domain/provider-error.ts';

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

import { z } from 'zod';
import type { GitHubProvider, GitHubProviderConfig } from '../../src/engine/github-provider/types.ts';

/** A forge with one repository, one app and one human, as the provider's contract needs it. */
export interface ProviderWorld {
  /** A provider signed in as the app. Its waits end at once. */
  provider(changes?: Partial<GitHubProviderConfig>): GitHubProvider;
  readonly owner: string;
  readonly repo: string;
  readonly botName: string;
  /** One REST call by the human; `path` is relative to the repository. Rejects unless the answer is a 2xx. */
  human(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const Numbered = z.object({ number: z.number() });
const Named = z.object({ sha: z.string() });
const Ref = z.object({ object: Named });
const Commit = z.object({ tree: Named });

/** What people do on the forge. */
export function people({ human }: Pick<ProviderWorld, 'human'>) {
  const tip = async (branch: string) => Ref.parse(await human('GET', `/git/ref/heads/${branch}`)).object.sha;

  return {
    async openIssue(fields: { title?: string; body?: string; labels?: string[] } = {}): Promise<string> {
      const issue = await human('POST', '/issues', { title: 'An issue', labels: ['task:implement'], ...fields });
      return String(Numbered.parse(issue).number);
    },

    issue: (id: string) => human('GET', `/issues/${id}`),
    changeIssue: (id: string, changes: object) => human('PATCH', `/issues/${id}`, changes),

    /** Commits on top of `from` (a branch, default `main`) and moves `branch` there. Null deletes a file. */
    async commit(files: Record<string, string | null>, branch = 'main', from = 'main'): Promise<string> {
      const parent = await tip(from);
      const base = Commit.parse(await human('GET', `/git/commits/${parent}`)).tree.sha;
      const entries = Object.entries(files).map(([path, content]) => ({
        path,
        mode: '100644',
        type: 'blob',
        ...(content === null ? { sha: null } : { content }),
      }));
      const tree = Named.parse(await human('POST', '/git/trees', { base_tree: base, tree: entries })).sha;
      const commit = await human('POST', '/git/commits', { message: 'A change', tree, parents: [parent] });
      const { sha } = Named.parse(commit);
      if (branch === from) await human('PATCH', `/git/refs/heads/${branch}`, { sha });
      else await human('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha });
      return sha;
    },

    /** A pull request with one changed file from a branch of its own. */
    async openPull(fields: { branch: string; body?: string; files?: Record<string, string>; draft?: boolean }) {
      const { branch, files = { [`${branch}.txt`]: 'one\ntwo\nthree\n' }, ...rest } = fields;
      await this.commit(files, branch);
      const pull = await human('POST', '/pulls', { title: `Add ${branch}`, head: branch, base: 'main', ...rest });
      return String(Numbered.parse(pull).number);
    },
  };
}

export async function callAsHuman(url: string, token: string, method: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

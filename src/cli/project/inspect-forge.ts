import { COMPLEXITIES, PRIORITIES, WORK_ITEM_STATUSES } from '../../domain/work-item.ts';
import { createGitHubClient } from '../../engine/github-provider/github-client/create-github-client.ts';
import type { GitHubClient } from '../../engine/github-provider/github-client/types.ts';
import { TASK_LABEL } from '../../engine/github-provider/mapping/parse-labels.ts';
import { readFailure } from '../../engine/github-provider/request-failure.ts';
import type { ForgeAccess } from './open-forge.ts';

/** What decree needs to know about a forge before it works there. Every method rejects with ProviderError only. */
export interface ForgeInspection {
  /** Signs in as the app. Returns its name. */
  signIn(): Promise<string>;
  /** What the installation was granted: permission -> level. */
  permissions(): Promise<Readonly<Record<string, string | undefined>>>;
  /** Reads the repository as the installation. */
  defaultBranch(): Promise<string>;
  missingLabels(): Promise<string[]>;
  /** Makes the labels that are missing. Returns their names. */
  createLabels(): Promise<string[]>;
}

/** The permissions of the app that decree cannot do without. */
export const NEEDED_PERMISSIONS = [
  ['metadata', 'read'],
  ['contents', 'write'],
  ['issues', 'write'],
  ['pull_requests', 'write'],
  ['checks', 'read'],
  ['statuses', 'read'],
] as const;

export function inspectForge(access: ForgeAccess): ForgeInspection {
  const client = createGitHubClient(access);
  const at = { owner: access.owner, repo: access.repo };

  async function missingLabels(): Promise<string[]> {
    const known = new Set(await labelsOf(client, at));
    return [...LABELS.keys()].filter((name) => !known.has(name));
  }

  async function createLabels(): Promise<string[]> {
    const missing = await missingLabels();
    for (const name of missing) await client.issues.createLabel({ ...at, name, color: LABELS.get(name) ?? 'ededed' });
    return missing;
  }

  return {
    signIn: () => asked(async () => (await client.apps.getAuthenticated()).data?.slug ?? 'unnamed'),
    permissions: () =>
      asked(
        async () => (await client.apps.getInstallation({ installation_id: access.installationID })).data.permissions,
      ),
    defaultBranch: () => asked(async () => (await client.repos.get(at)).data.default_branch),
    missingLabels: () => asked(missingLabels),
    createLabels: () => asked(createLabels),
  };
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    throw readFailure(thrown, Date.now()).error;
  }
}

const PAGE = 100;

async function labelsOf(client: GitHubClient, at: { owner: string; repo: string }): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1; ; page++) {
    const { data } = await client.issues.listLabelsForRepo({ ...at, per_page: PAGE, page });
    names.push(...data.map((label) => label.name.toLowerCase()));
    if (data.length < PAGE) return names;
  }
}

/** Every label that decree reads or writes, with its colour. */
const LABELS: ReadonlyMap<string, string> = new Map([
  [TASK_LABEL, '5319e7'],
  ...WORK_ITEM_STATUSES.map((status) => [`status:${status}`, '0e8a16'] as const),
  ...PRIORITIES.map((priority) => [`priority:${priority}`, 'd93f0b'] as const),
  ...COMPLEXITIES.map((complexity) => [`complexity:${complexity}`, 'c5def5'] as const),
]);

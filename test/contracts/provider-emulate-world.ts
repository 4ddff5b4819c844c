import { createEmulator } from 'emulate';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import { createHastyClock } from './provider-clock.ts';
import { callAsHuman, type ProviderWorld } from './provider-world.ts';

const OWNER = 'octo-org';
const REPO = 'project';
const APP_ID = 12_345;
const INSTALLATION_ID = 4_711;

/** An independent imitation of GitHub. Sound for issues, comments and git data; not for pull requests. */
export async function createEmulateWorld(): Promise<ProviderWorld> {
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    hostname: '127.0.0.1',
    seed: {
      github: {
        users: [{ login: 'ann', name: 'Ann', email: 'ann@example.com' }],
        orgs: [{ login: OWNER, name: 'Octo', members: [{ login: 'ann', role: 'admin' }] }],
        repos: [{ owner: OWNER, name: REPO, auto_init: true }],
        apps: [
          {
            app_id: APP_ID,
            slug: 'decree',
            name: 'decree',
            permissions: {
              issues: 'write',
              pull_requests: 'write',
              contents: 'write',
              checks: 'read',
              statuses: 'read',
              metadata: 'read',
            },
            events: [],
            installations: [{ installation_id: INSTALLATION_ID, account: OWNER, repository_selection: 'all' }],
          },
        ],
      },
    },
  });
  const privateKey = emulator.generatedSecrets[0]?.value;
  if (privateKey === undefined) throw new Error('emulate did not make a key for the app');

  return {
    owner: OWNER,
    repo: REPO,
    botName: 'decree[bot]',
    provider: (changes = {}) =>
      createGitHubProvider({
        appID: APP_ID,
        privateKey,
        installationID: INSTALLATION_ID,
        owner: OWNER,
        repo: REPO,
        specsDir: 'docs/specs/',
        defaultBranch: 'main',
        baseURL: emulator.url,
        clock: createHastyClock(),
        ...changes,
      }),
    // A token that it does not know acts as the first seeded user.
    human: (method, path, body) => callAsHuman(`${emulator.url}/repos/${OWNER}/${REPO}${path}`, 'ann', method, body),
    close: () => emulator.close(),
  };
}

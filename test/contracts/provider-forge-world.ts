import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import { createGitHubClient } from '../../src/engine/github-provider/github-client/create-github-client.ts';
import type { GitHubClient } from '../../src/engine/github-provider/github-client/types.ts';
import {
  createEmbeddedForge,
  type EmbeddedForge,
  type EmbeddedForgeOptions,
} from '../../src/forge/create-embedded-forge.ts';
import { runGit } from '../../src/git/run-git.ts';
import { createFaultProxy, type FaultProxy } from '../fault-proxy/create-fault-proxy.ts';
import { createHastyClock } from './provider-clock.ts';
import { callAsHuman, type ProviderWorld } from './provider-world.ts';

/** The embedded forge behind the fault proxy. People talk to the forge itself, the provider to the proxy. */
export interface ForgeWorld extends ProviderWorld {
  readonly forge: EmbeddedForge;
  readonly proxy: FaultProxy;
  /** The app itself, past provider and proxy. */
  readonly app: GitHubClient;
}

export async function createForgeWorld(options: Partial<EmbeddedForgeOptions> = {}): Promise<ForgeWorld> {
  const dir = await mkdtemp(join(tmpdir(), 'decree-provider-'));
  const forge = await createEmbeddedForge({ dir: join(dir, 'forge'), privateKey: createKey(), ...options });
  const proxy = await createFaultProxy(forge.url);
  await pushFirstCommit(join(dir, 'clone'), forge.gitURL);
  const token = decodeURIComponent(new URL(forge.gitURL).password);
  const { owner, repo } = forge;

  return {
    forge,
    proxy,
    app: createGitHubClient({ ...forge, baseURL: forge.url }),
    owner,
    repo,
    botName: 'decree[bot]',
    provider: (changes = {}) =>
      createGitHubProvider({
        appID: forge.appID,
        privateKey: forge.privateKey,
        installationID: forge.installationID,
        owner,
        repo,
        specsDir: 'docs/specs/',
        defaultBranch: 'main',
        baseURL: proxy.url,
        gitURL: forge.gitURL,
        clock: createHastyClock(),
        ...changes,
      }),
    human: (method, path, body) => callAsHuman(`${forge.url}/repos/${owner}/${repo}${path}`, token, method, body),
    async close() {
      await proxy.close();
      await forge.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function createKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

async function pushFirstCommit(clone: string, gitURL: string): Promise<void> {
  await runGit(['init', '--quiet', '--initial-branch=main', clone], { cwd: tmpdir() });
  await writeFile(join(clone, 'README.md'), '# A project\n');
  const author = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.com' };
  await runGit(['add', '.'], { cwd: clone });
  await runGit(['commit', '--quiet', '-m', 'First'], { cwd: clone, env: { ...author, ...committer } });
  await runGit(['push', '--quiet', gitURL, 'main'], { cwd: clone });
}

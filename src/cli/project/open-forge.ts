import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ConfigError } from '../../config/config-error.ts';
import type { Config } from '../../config/schema.ts';
import { commandLauncher } from '../../engine/runtime-adapter/claude/session-surroundings.ts';
import { createEmbeddedForge } from '../../forge/create-embedded-forge.ts';
import { placesIn } from './find-project.ts';

/** How to reach the forge of a project, whichever it is. */
export interface ForgeAccess {
  readonly appID: number;
  readonly installationID: number;
  readonly privateKey: string;
  readonly owner: string;
  readonly repo: string;
  readonly baseURL?: string;
  readonly gitURL?: string;
  /** How long its lists may lag behind a write, if not as long as GitHub's. */
  readonly listLagMs?: number;
  close(): Promise<void>;
}

/**
 * Starts the embedded forge, or reads the key for GitHub. Nothing is sent to GitHub yet. `onError` hears of errors that
 * are the embedded forge's own fault.
 */
export async function openForge(
  config: Config,
  repoRoot: string,
  onError?: (error: unknown) => void,
): Promise<ForgeAccess> {
  return config.forge === 'embedded' ? openEmbedded(config, repoRoot, onError) : openGitHub(config, repoRoot);
}

async function openGitHub(config: Extract<Config, { forge: 'github' }>, repoRoot: string): Promise<ForgeAccess> {
  const [owner = '', repo = ''] = config.repository.split('/');
  return {
    appID: config.githubAppID,
    installationID: config.githubAppInstallationID,
    privateKey: await readKey(keyFileOf(config, repoRoot)),
    owner,
    repo,
    ...(config.githubBaseURL !== undefined && { baseURL: config.githubBaseURL }),
    close: async () => undefined,
  };
}

async function openEmbedded(
  config: Extract<Config, { forge: 'embedded' }>,
  repoRoot: string,
  onError: ((error: unknown) => void) | undefined,
): Promise<ForgeAccess> {
  const { command } = config.ci;
  const launcherFor = commandLauncher({ repoRoot, sandbox: config.agents.sandbox });
  const forge = await createEmbeddedForge({
    dir: placesIn(repoRoot).forge,
    defaultBranch: config.specPoller.defaultBranch,
    repo: path.basename(repoRoot).replaceAll(/[^\w.-]+/g, '-'),
    ...(command !== undefined && { ci: { command, launcher: (folder) => launcherFor({ folder, adminFolder: null }) } }),
    ...(onError !== undefined && { onError }),
  });
  const { url: baseURL, gitURL, owner, repo, appID, installationID, privateKey } = forge;
  const close = () => forge.close();
  return { appID, installationID, privateKey, owner, repo, baseURL, gitURL, listLagMs: 0, close };
}

/** Absolute; relative paths are from the repository's root. */
export function keyFileOf({ githubAppPrivateKeyPath }: { githubAppPrivateKeyPath: string }, repoRoot: string): string {
  return path.resolve(repoRoot, githubAppPrivateKeyPath.replace(/^~(?=\/|$)/, os.homedir()));
}

async function readKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const why = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT' ? 'there is no such file' : cause;
    throw new ConfigError(`githubAppPrivateKeyPath: ${file} could not be read: ${String(why)}.`, { cause });
  });
  if (!text.includes('PRIVATE KEY')) {
    throw new ConfigError(`githubAppPrivateKeyPath: ${file} is not a private key in PEM format.`);
  }
  return text;
}

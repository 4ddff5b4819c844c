import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createRepository, decree } from './cli-process.ts';
import type { TestRepository } from './cli-process.ts';

/** A forge that plays GitHub Enterprise, with an app that lacks a permission. */
let forge: EmbeddedForge;
let folder = '';
let repository: TestRepository;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-doctor-'));
  const permissions = {
    contents: 'write',
    issues: 'read',
    metadata: 'read',
    pull_requests: 'write',
    checks: 'read',
  } as const;
  forge = await createEmbeddedForge({ dir: folder, permissions });
});
afterAll(async () => {
  await forge.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(() => repository.remove());

const doctor = (env: Record<string, string> = {}) => decree(['doctor'], { cwd: repository.folder, env });

async function configure(key: string, changes: Record<string, unknown> = {}): Promise<void> {
  await repository.write('key.pem', key);
  const config = {
    repository: `${forge.owner}/${forge.repo}`,
    githubAppID: forge.appID,
    githubAppInstallationID: forge.installationID,
    githubAppPrivateKeyPath: 'key.pem',
    githubBaseURL: forge.url,
    ...changes,
  };
  await repository.write('decree.config.ts', `export default ${JSON.stringify(config)};\n`);
}

test('each permission is looked at, and a missing one fails with what to do', async () => {
  await configure(forge.privateKey, { specPoller: { defaultBranch: 'trunk' } });
  const { code, stdout } = await doctor({ ANTHROPIC_API_KEY: 'sk-ant-something' });
  expect(code).toBe(1);
  expect(stdout).toMatch(/credentials +ok +signed in as the app 'decree'/);
  expect(stdout).toMatch(/permission contents +ok +write/);
  expect(stdout).toMatch(/permission issues +FAILED +read/);
  expect(stdout).toMatch(/permission statuses +FAILED +none/);
  expect(stdout).toContain("permission issues: Give the app 'write' on issues");
  expect(stdout).toMatch(/repository +warning .*'main'.*'trunk'/);
  expect(stdout).toMatch(/labels +warning +20 missing/);
  expect(stdout).toMatch(/agents +FAILED/);
  expect(stdout).toMatch(/Claude login +ok +ANTHROPIC_API_KEY is set/);
  expect(stdout).not.toContain('sk-ant-something');
});

test('a key of another app is refused, and nothing more is asked', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await configure(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const { code, stdout } = await doctor();
  expect(code).toBe(1);
  expect(stdout).toMatch(/credentials +FAILED/);
  expect(stdout).toContain('Check githubAppID and the private key');
  expect(stdout).not.toContain('permission');
  expect(stdout).toMatch(/Claude login +FAILED/);

  const run = await decree(['run', '--headless'], { cwd: repository.folder });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('answered 401');
  expect(run.stderr).toContain('`decree doctor`');
});

test('a wrong installation is named', async () => {
  await configure(forge.privateKey, { githubAppInstallationID: forge.installationID + 1 });
  const { stdout } = await doctor();
  expect(stdout).toMatch(/installation +FAILED/);
  expect(stdout).toContain('Check githubAppInstallationID');
});

test('without a configuration the rest is looked at all the same, and a damaged journal is found', async () => {
  await repository.write(
    '.decree/journal.db',
    'this is no database, but it is long enough to be taken for one at first',
  );
  const { code, stdout } = await doctor();
  expect(code).toBe(1);
  expect(stdout).toMatch(/configuration +FAILED .*decree\.config\.ts/);
  expect(stdout).toMatch(/journal +FAILED .*not a database/);
  expect(stdout).toMatch(/disk +ok/);
});

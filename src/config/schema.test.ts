import { expect, test } from 'vitest';
import { z } from 'zod';
import { configSchema } from './schema.ts';

const GITHUB = {
  repository: 'acme/shop',
  githubAppID: 1,
  githubAppPrivateKeyPath: 'key.pem',
  githubAppInstallationID: 2,
};

test('the embedded forge needs no setting at all', () => {
  expect(configSchema.parse({ forge: 'embedded' })).toMatchObject({
    shutdownTimeout: 300,
    issuePoller: { pollInterval: 30 },
    specPoller: { pollInterval: 60, specsDir: 'docs/specs/', defaultBranch: 'main' },
    prPoller: { pollInterval: 30 },
    agents: { dispatch: 'manual', maxConcurrent: 3, maxAttempts: 3, retryBackoff: { first: 30, longest: 900 } },
    review: { maxRounds: 2 },
  });
});

test('without a forge, GitHub is meant and its settings are required', () => {
  expect(configSchema.parse(GITHUB).forge).toBe('github');
  const result = configSchema.safeParse({ ...GITHUB, githubAppID: undefined });
  expect(z.prettifyError(result.error ?? new z.ZodError([]))).toContain('githubAppID');
});

test('a setting that does not exist is named', () => {
  const result = configSchema.safeParse({ forge: 'embedded', agents: { maxConcurent: 5 } });
  expect(z.prettifyError(result.error ?? new z.ZodError([]))).toContain('maxConcurent');
});

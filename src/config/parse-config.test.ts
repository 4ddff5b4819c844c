import { expect, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import { parseConfig } from './parse-config.ts';

const GITHUB = {
  repository: 'acme/shop',
  githubAppID: 1,
  githubAppPrivateKeyPath: 'key.pem',
  githubAppInstallationID: 2,
};

test('the embedded forge needs no setting at all', () => {
  expect(parseConfig({ forge: 'embedded' })).toMatchObject({
    shutdownTimeout: 300,
    issuePoller: { pollInterval: 30 },
    specPoller: { pollInterval: 60, specsDir: 'docs/specs/', defaultBranch: 'main' },
    prPoller: { pollInterval: 30 },
    agents: { dispatch: 'manual', maxConcurrent: 3, maxAttempts: 3, retryBackoff: { first: 30, longest: 900 } },
    review: { maxRounds: 2 },
  });
});

test('without a forge, GitHub is meant and its settings are required', () => {
  expect(parseConfig(GITHUB).forge).toBe('github');
  expect(() => parseConfig({ ...GITHUB, githubAppID: undefined })).toThrow(/githubAppID/);
  expect(() => parseConfig({ ...GITHUB, repository: 'shop' })).toThrow(/expected owner\/repo/);
});

test('a setting that does not exist is named', () => {
  expect(() => parseConfig({ forge: 'embedded', agents: { maxConcurent: 5 } })).toThrow(/maxConcurent/);
});

test('a budget in which no run fits is refused', () => {
  expect(() => parseConfig({ forge: 'embedded', budget: { perRunUSD: 60 } })).toThrow(
    /perRunUSD is more than perDayUSD/,
  );
});

test.each([[null], [undefined], ['text'], [[]], [{ forge: 'gitlab' }]])('%j is no configuration', (input) => {
  expect(() => parseConfig(input, 'decree.config.ts')).toThrow(ConfigError);
});

test('a parsed configuration can be parsed again', () => {
  const config = parseConfig(GITHUB);
  expect(parseConfig(config)).toEqual(config);
});

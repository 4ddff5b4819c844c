import { expect, test } from 'vitest';
import { agentEnvironment, withoutLogin } from './agent-environment.ts';

const HOST = {
  PATH: '/usr/bin:/bin',
  HOME: '/home/someone',
  LC_ALL: 'C.UTF-8',
  ANTHROPIC_API_KEY: 'claude-key',
  HTTPS_PROXY: 'http://127.0.0.1:3128',
  NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
};

const SECRETS = {
  GITHUB_TOKEN: 'forge-token',
  GH_TOKEN: 'forge-token',
  GITHUB_APP_PRIVATE_KEY: 'forge-key',
  DECREE_PRIVATE_KEY: 'forge-key',
  SSH_AUTH_SOCK: '/run/agent.sock',
  GIT_SSH_COMMAND: 'ssh -i key',
  GIT_CONFIG_GLOBAL: '/home/someone/.gitconfig',
  NPM_TOKEN: 'npm-token',
  AWS_SECRET_ACCESS_KEY: 'cloud-key',
  NODE_OPTIONS: '--require=/tmp/evil.js',
  BASH_ENV: '/tmp/evil.sh',
  LD_PRELOAD: '/tmp/evil.so',
};

test('an agent sees the path, its home, the locale, its login, the proxy and the CA of the host', () => {
  expect(agentEnvironment(HOST)).toMatchObject(HOST);
});

test('an agent sees no key, token or socket that is not on the list', () => {
  const environment = agentEnvironment({ ...HOST, ...SECRETS });
  const values = Object.values(environment).join('\n');
  for (const value of Object.values(SECRETS)) expect(values).not.toContain(value);
  expect(environment).not.toHaveProperty('SSH_AUTH_SOCK');
  expect(environment).not.toHaveProperty('GITHUB_TOKEN');
});

test('cloud credentials are passed on only when Claude logs in with them', () => {
  const cloud = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'cloud-key', AWS_REGION: 'eu-west-1' };
  expect(agentEnvironment({ ...HOST, ...cloud })).not.toHaveProperty('AWS_ACCESS_KEY_ID');
  expect(agentEnvironment({ ...HOST, ...cloud, CLAUDE_CODE_USE_BEDROCK: '0' })).not.toHaveProperty('AWS_ACCESS_KEY_ID');
  expect(agentEnvironment({ ...HOST, ...cloud, CLAUDE_CODE_USE_BEDROCK: '1' })).toMatchObject(cloud);
});

test('git reads no configuration of the user or the machine and never asks', () => {
  expect(agentEnvironment({ GIT_CONFIG_GLOBAL: '/home/someone/.gitconfig', GIT_ASKPASS: 'ask' })).toMatchObject({
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_AUTHOR_NAME: 'decree agent',
    GIT_COMMITTER_EMAIL: 'agent@decree.invalid',
  });
});

test('file mentions are always off, whatever the host says', () => {
  const environment = agentEnvironment({ CLAUDE_CODE_DISABLE_FILE_MENTIONS: '0' });
  expect(environment['CLAUDE_CODE_DISABLE_FILE_MENTIONS']).toBe('1');
});

test('commands run in bash whatever shell the user has', () => {
  expect(agentEnvironment({ SHELL: '/bin/zsh' })).toMatchObject({ SHELL: '/bin/bash', CLAUDE_CODE_SHELL: '/bin/bash' });
});

test('what the adapter adds comes last', () => {
  const environment = agentEnvironment(HOST, { extra: { CLAUDE_CONFIG_DIR: '/run/config', TMPDIR: '/run/tmp' } });
  expect(environment).toMatchObject({ CLAUDE_CONFIG_DIR: '/run/config', TMPDIR: '/run/tmp' });
});

test('what runs on an agent’s behalf gets all of it but the login', () => {
  const environment = agentEnvironment({ PATH: '/bin', ANTHROPIC_API_KEY: 'key', CLAUDE_CODE_OAUTH_TOKEN: 'token' });
  const { ANTHROPIC_API_KEY, CLAUDE_CODE_OAUTH_TOKEN, ...rest } = environment;
  expect([ANTHROPIC_API_KEY, CLAUDE_CODE_OAUTH_TOKEN]).toEqual(['key', 'token']);
  expect(withoutLogin(environment)).toEqual(rest);
});

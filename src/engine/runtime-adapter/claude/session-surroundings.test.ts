import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Logger } from '../../ports.ts';
import type { ClaudeAdapterConfig } from './claude-adapter-config.ts';
import { sessionEnvironment, sessionSandbox } from './session-surroundings.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const CONFIG: ClaudeAdapterConfig = {
  maxAgentDuration: 1,
  logging: { agentSessions: false, logsDir: '/logs' },
  repoRoot: '/repo',
  defaultBranch: 'main',
};

function collect(): { logger: Logger; warnings: string[] } {
  const warnings: string[] = [];
  return { warnings, logger: { debug() {}, info() {}, error() {}, warn: (_, message) => warnings.push(message) } };
}

test("by default an agent sees Claude's login and none of the forge's", () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'claude-login');
  vi.stubEnv('GITHUB_TOKEN', 'forge-login');
  vi.stubEnv('DECREE_PRIVATE_KEY', 'forge-key');
  const env = sessionEnvironment(CONFIG, 's-1');
  expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'claude-login', DECREE_SESSION_ID: 's-1' });
  expect(Object.values(env)).not.toContain('forge-login');
  expect(Object.values(env)).not.toContain('forge-key');
});

test('file mentions are off whatever the configured environment says', () => {
  const given = { PATH: '/bin', CLAUDE_CODE_DISABLE_FILE_MENTIONS: '0' };
  const env = sessionEnvironment({ ...CONFIG, agentEnvironment: () => given }, 's-1');
  expect(env).toMatchObject({ PATH: '/bin', CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1' });
});

test('the exception for root is made for root only', () => {
  const env = sessionEnvironment({ ...CONFIG, agentEnvironment: () => ({}) }, 's-1');
  expect(env['IS_SANDBOX']).toBe(process.getuid?.() === 0 ? '1' : undefined);
});

test('without the programs for it there is no sandbox, and a warning', () => {
  const { logger, warnings } = collect();
  const run = { role: 'implementor' as const, folder: '/repo/.worktrees/a', env: { PATH: '/nowhere' } };
  expect(sessionSandbox(CONFIG, run, logger)).toBeUndefined();
  expect(warnings).toHaveLength(1);
  expect(() => sessionSandbox({ ...CONFIG, sandbox: 'required' }, run, logger)).toThrow(/bwrap/);
});

test('with them it hides what is configured, and only an implementor may write to the clone', async () => {
  const bin = await mkdtemp(join(tmpdir(), 'decree-bin-'));
  for (const name of ['bwrap', 'socat']) {
    await writeFile(join(bin, name), '');
    await chmod(join(bin, name), 0o755);
  }
  const { logger, warnings } = collect();
  const config = { ...CONFIG, unreadablePaths: ['/repo/app.pem'] };
  const sandboxOf = (role: 'implementor' | 'reviewer') =>
    sessionSandbox(config, { role, folder: '/repo/.worktrees/a', env: { PATH: bin, HOME: '/home/me' } }, logger);
  expect(sandboxOf('implementor')).toMatchObject({
    enabled: true,
    failIfUnavailable: true,
    filesystem: {
      allowWrite: ['/repo/.decree/repo.git'],
      denyRead: expect.arrayContaining(['/repo/app.pem', '/home/me/.ssh']),
    },
  });
  expect(sandboxOf('reviewer')?.filesystem?.allowWrite).toEqual([]);
  expect(warnings).toEqual([]);
  await rm(bin, { recursive: true });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Logger } from '../../ports.ts';
import type { ClaudeAdapterConfig } from './claude-adapter-config.ts';
import { sessionEnvironment, sessionSurroundings, commandLauncher } from './session-surroundings.ts';

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

describe('the sandbox of a session', () => {
  test('without the programs for it there is none, and a warning', async () => {
    const { logger, warnings } = collect();
    const config = { ...CONFIG, agentEnvironment: () => ({ PATH: '/nowhere' }) };
    const run = { role: 'implementor' as const, folder: '/repo/.worktrees/a', sessionID: 's-1' };
    const { env, sandbox } = await sessionSurroundings(config, run, logger);
    expect(sandbox).toBeUndefined();
    expect(env).not.toHaveProperty('XDG_CACHE_HOME');
    expect(warnings).toHaveLength(1);
    await expect(sessionSurroundings({ ...config, sandbox: 'required' }, run, logger)).rejects.toThrow(/bwrap/);
  });

  test('only an implementor may write to the clone, and there only what a commit takes', async () => {
    const { config, folder, clone } = await makeWorktree();
    const { logger, warnings } = collect();
    const of = async (role: 'implementor' | 'reviewer') =>
      (await sessionSurroundings(config, { role, folder, sessionID: 's-1' }, logger)).sandbox;
    const cache = join(config.repoRoot, '.decree/cache');
    const sandbox = await of('implementor');
    expect(sandbox).toMatchObject({ enabled: true, failIfUnavailable: true });
    expect(sandbox?.filesystem?.allowWrite).toEqual([
      join(clone, 'objects'),
      join(clone, 'refs/heads'),
      join(clone, 'worktrees/a'),
      cache,
    ]);
    expect(sandbox?.filesystem?.denyWrite).toEqual([join(clone, 'refs/remotes')]);
    expect((await of('reviewer'))?.filesystem?.allowWrite).toEqual([cache]);
    expect(warnings).toEqual([]);
  });

  test('a worktree that says it belongs elsewhere opens nothing', async () => {
    const { config, folder } = await makeWorktree();
    await writeFile(join(folder, '.git'), 'gitdir: /home/me/other/.git/worktrees/a\n');
    const run = { role: 'implementor' as const, folder, sessionID: 's-1' };
    const { sandbox } = await sessionSurroundings(config, run, collect().logger);
    expect(sandbox?.filesystem?.allowWrite).toEqual([join(config.repoRoot, '.decree/cache')]);
  });
});

test('a sandbox whose programs are there and do not work is none, unless it is required', async () => {
  const { config, folder } = await makeWorktree();
  await writeFile(join(config.repoRoot, 'bin/bwrap'), '#!/bin/sh\necho no namespaces >&2; exit 1\n');
  const { logger, warnings } = collect();
  const run = { role: 'implementor' as const, folder, sessionID: 's-1' };
  expect((await sessionSurroundings(config, run, logger)).sandbox).toBeUndefined();
  expect(warnings).toEqual(['Agents run without a sandbox: bwrap cannot start (no namespaces).']);
  expect(commandLauncher(config)({ folder, adminFolder: null })).toEqual([]);
  const required = { ...config, sandbox: 'required' as const };
  await expect(sessionSurroundings(required, run, logger)).rejects.toThrow(/no namespaces/);
  expect(() => commandLauncher(required)({ folder, adminFolder: null })).toThrow(/no namespaces/);
});

test('set-up and CI run in the sandbox as well, with caches that it may write', async () => {
  const { config, folder, clone } = await makeWorktree();
  const words = commandLauncher(config)({ folder, adminFolder: join(clone, 'worktrees/a') });
  expect(words.join(' ')).toMatch(/^bwrap .*--ro-bind \/ \/ .* --$/);
  expect(words.join(' ')).toContain(`--bind ${folder} ${folder}`);
  expect(words.join(' ')).toContain(`--tmpfs ${config.repoRoot}/.decree --ro-bind-try ${clone} ${clone}`);
  expect(words.join(' ')).toContain(`--setenv npm_config_cache ${config.repoRoot}/.decree/cache/npm`);
  expect(commandLauncher({ ...config, sandbox: 'off' })({ folder, adminFolder: clone })).toEqual([]);
});

/** A worktree as git leaves it, and the programs that a sandbox needs. */
async function makeWorktree(): Promise<{ config: ClaudeAdapterConfig; folder: string; clone: string }> {
  const repoRoot = await mkdtemp(join(tmpdir(), 'decree-surroundings-'));
  onTestFinished(() => rm(repoRoot, { recursive: true }));
  const folder = join(repoRoot, '.worktrees/a');
  const clone = join(repoRoot, '.decree/repo.git');
  for (const path of [folder, join(clone, 'refs/remotes'), join(repoRoot, 'bin')])
    await mkdir(path, { recursive: true });
  for (const name of ['bwrap', 'socat']) await writeFile(join(repoRoot, 'bin', name), '#!/bin/sh\n', { mode: 0o755 });
  await writeFile(join(folder, '.git'), `gitdir: ${clone}/worktrees/a\n`);
  const agentEnvironment = () => ({ PATH: join(repoRoot, 'bin'), HOME: '/home/me' });
  return { config: { ...CONFIG, repoRoot, agentEnvironment }, folder, clone };
}

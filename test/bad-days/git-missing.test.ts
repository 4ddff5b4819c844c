import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findRepoRoot } from '../../src/engine/find-repo-root.ts';
import { createScriptedAdapter } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import type { Scenario } from '../../src/engine/runtime-adapter/scripted/scenario.ts';
import { decree } from '../cli/cli-process.ts';
import {
  createRuntimeAdapterFixture,
  makeTemplate,
  type RuntimeAdapterFixture,
} from '../contracts/runtime-adapter-fixture.ts';
import { implementorParams } from '../world/implementor-params.ts';

/** A machine without git, or one that loses it. */
let template = '';
let fixture: RuntimeAdapterFixture;
let empty = '';
beforeAll(async () => {
  empty = await mkdtemp(path.join(tmpdir(), 'decree-no-git-'));
  template = await makeTemplate();
  fixture = await createRuntimeAdapterFixture(template);
  await fixture.makeClone();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await fixture.close();
  await rm(template, { recursive: true });
  await rm(empty, { recursive: true });
});

describe('without git', () => {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };

  test('the engine says what to install', () => {
    vi.stubEnv('PATH', empty);
    expect(() => findRepoRoot(logger)).toThrow(/git could not be started.*Install git 2\.38 or newer.*PATH/);
  });

  test.each([
    ['run', ['run', '--headless'], 2],
    ['status', ['status'], 2],
  ] as const)('`decree %s` does, too', async (_, args, exitCode) => {
    const { code, stderr } = await decree(args, { cwd: fixture.checkout, env: { PATH: empty } });
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(/git could not be started[^]*Install git 2\.38 or newer/);
  });

  test('`decree doctor` names it, and does not blame the repository for it', async () => {
    const { code, stdout } = await decree(['doctor'], { cwd: fixture.checkout, env: { PATH: empty } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/git +FAILED[^]*What to do:\n +git: Install git 2\.38 or newer/);
    expect(stdout).not.toContain('git init');
  });
});

describe('when git vanishes', () => {
  const params = (sessionID: string, branchName = 'issue-7-1') => implementorParams({ sessionID, branchName });
  const script: Scenario = {
    runs: [
      {
        role: 'implementor',
        steps: [
          { do: 'write', path: 'made.txt', content: 'made\n' },
          { do: 'wait', ms: 1_000 },
          { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: 'done' } },
        ],
      },
    ],
  };
  const adapterOf = () => createScriptedAdapter({ ...fixture.config, setupCommand: false, script }, fixture.deps);
  const ADVICE = /could not be started: check that git is installed and on the PATH/;

  test('before a run starts, the start fails with what to do, and leaves nothing', async () => {
    vi.stubEnv('PATH', empty);
    await expect(adapterOf().startAgent(params('s1'))).rejects.toThrow(ADVICE);
    vi.unstubAllEnvs();
    expect(await fixture.leftovers()).toEqual([]);
  });

  test('during a run, the run fails with what to do, and its work is saved as soon as git is back', async () => {
    const adapter = adapterOf();
    const lost = await adapter.startAgent(params('s2'));
    vi.stubEnv('PATH', empty);
    await vi.waitUntil(() => fixture.clock.pending > 1);
    fixture.clock.advance(1_000);
    await expect(lost.result).rejects.toMatchObject({ kind: 'failed', message: expect.stringMatching(ADVICE) });
    expect(await readdir(path.join(fixture.checkout, '.worktrees/issue-7-1'))).toContain('made.txt');

    vi.unstubAllEnvs();
    const next = await adapter.startAgent(params('s3', 'issue-7-2'));
    adapter.cancelAgent('s3');
    await expect(next.result).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await fixture.inClone('show', 'refs/decree/runs/s2:made.txt')).toBe('made');
    expect(await fixture.leftovers()).toEqual([]);
  });
});

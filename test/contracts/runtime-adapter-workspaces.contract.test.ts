import { access, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runGitText } from '../../src/git/run-git.ts';
import type { Bench } from './runtime-adapter-bench.ts';
import { APPROVED, COMPLETED, PLANNED, readUntil, runError, useBench } from './runtime-adapter-bench.ts';
import type { AgentStep, RuntimeAdapterHarness } from './runtime-adapter-contract.ts';
import type { AgentStartParams, RuntimeAdapterConfig } from '../../src/engine/runtime-adapter/types.ts';

const WRITE: AgentStep = { do: 'write', path: 'new.txt', content: 'new\n' };
const HANG: readonly AgentStep[] = [{ do: 'print', text: 'Ready.' }, { do: 'hang' }];

/** Where agents work, and what stays behind. */
export function workspaceContract(createHarness: () => RuntimeAdapterHarness): void {
  describe('the working folder', () => {
    const bench = useBench(createHarness);

    test('[RTA-08] [AGM-13] an implementor works at .worktrees/<branch> on that branch, from the fresh default branch', async () => {
      const { fixture, implementor } = bench();
      const moved = await fixture.push('main', 'moved.txt', 'by somebody else\n');
      const params = implementor({ branchName: 'issue-7-1767225600000' });
      await whileRunning(bench(), params, {}, async (folder) => {
        expect(folder).toBe(join(fixture.checkout, '.worktrees/issue-7-1767225600000'));
        expect(await gitIn(folder, 'symbolic-ref', 'HEAD')).toBe('refs/heads/issue-7-1767225600000');
        expect(await gitIn(folder, 'rev-parse', 'HEAD')).toBe(moved);
        expect(await gitIn(folder, 'status', '--porcelain')).toBe('');
      });
    });

    test('[AGM-14] with a revision it goes on from what the forge has, human commits included', async () => {
      const { fixture, implementor } = bench();
      const human = await fixture.push('feature/login', 'human.txt', 'a small fix\n');
      const start = { from: 'revision', headRef: 'feature/login' } as const;
      await whileRunning(bench(), implementor({ branchName: 'feature/login', start }), {}, async (folder) => {
        expect(folder).toBe(join(fixture.checkout, '.worktrees/feature/login'));
        expect(await gitIn(folder, 'symbolic-ref', 'HEAD')).toBe('refs/heads/feature/login');
        expect(await gitIn(folder, 'rev-parse', 'HEAD')).toBe(human);
        expect(await readFile(join(folder, 'login.txt'), 'utf8')).toBe('by the first run\n');
      });
    });

    test('[RTA-10] a planner sees the default branch as it was polled, not as the user has it checked out', async () => {
      const { fixture, planner } = bench();
      await fixture.push('main', 'later.txt', 'after the poll\n');
      await writeFile(join(fixture.checkout, 'README.md'), 'half an idea of the user\n');
      await whileRunning(bench(), planner(), {}, async (folder) => {
        expect(await gitIn(folder, 'rev-parse', 'HEAD')).toBe(fixture.mainSHA);
        expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain('# Sample');
        await expect(access(join(folder, 'later.txt'))).rejects.toThrow('ENOENT');
      });
    });

    test("[RTA-11] [CLA-05] with reviewerWorkspace 'root' a reviewer works in the repository root, without a worktree", async () => {
      const { fixture, reviewer } = bench();
      await whileRunning(bench(), reviewer(), { reviewerWorkspace: 'root' }, async (folder) => {
        expect(folder).toBe(fixture.checkout);
        expect(await fixture.leftovers()).toEqual([]);
      });
      expect(await readFile(join(fixture.checkout, 'README.md'), 'utf8')).toContain('# Sample');
    });

    test('[AGM-15] by default a reviewer gets a worktree at the head that the forge has now', async () => {
      const { fixture, reviewer } = bench();
      const head = await fixture.push('feature/login', 'more.txt', 'pushed a moment ago\n');
      await whileRunning(bench(), reviewer(), {}, async (folder) => {
        expect(folder).toBe(join(fixture.checkout, '.worktrees/feature/login'));
        expect(await gitIn(folder, 'rev-parse', 'HEAD')).toBe(head);
      });
    });

    test('branch names that lead elsewhere, or that git would misread, are refused', async () => {
      const { fixture, adapter, implementor } = bench();
      const runtime = await adapter([COMPLETED]);
      for (const branchName of ['../../outside', '/etc/x', 'a/../../x', '-b', '.git/x', 'a b', 'x.lock', '']) {
        await expect(runtime.startAgent(implementor({ branchName }))).rejects.toThrow('branch name');
      }
      expect(await fixture.leftovers()).toEqual([]);
    });
  });

  describe('after the run', () => {
    const bench = useBench(createHarness);

    test('[RTA-09] [CLA-02] worktree and branch are gone when an implementor has completed', async () => {
      const { fixture, start, implementor } = bench();
      const handle = await start(implementor({ branchName: 'feature/deep/name' }), [WRITE, COMPLETED]);
      await handle.result;
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('[RTA-09] [CLA-02] worktree and branch are gone when an implementor has failed, its work is kept', async () => {
      const { fixture, start, implementor } = bench();
      const params = implementor();
      const commit: AgentStep = { do: 'run', command: 'git add -A && git commit -q -m half' };
      const uncommitted: AgentStep = { do: 'write', path: 'README.md', content: 'not committed\n' };
      const handle = await start(params, [WRITE, commit, uncommitted, { do: 'fail', message: 'broken' }]);
      const { savedRef } = await runError(handle.result);
      expect(await fixture.leftovers()).toEqual([]);
      expect(savedRef).toBe(`refs/decree/runs/${params.sessionID}`);
      expect(await fixture.inClone('show', `${savedRef}:new.txt`)).toBe('new');
      expect(await fixture.inClone('show', `${savedRef}:README.md`)).toBe('not committed');
      expect(await fixture.inClone('log', '--format=%s', `${fixture.mainSHA}..${savedRef}`)).toContain('half');
    });

    test('a cancelled run keeps its work too', async () => {
      const { fixture, adapter, implementor } = bench();
      const params = implementor();
      const runtime = await adapter([WRITE, ...HANG]);
      const handle = await runtime.startAgent(params);
      await readUntil(handle.output, 'Ready.');
      runtime.cancelAgent(params.sessionID);
      const { savedRef } = await runError(handle.result);
      expect(await fixture.inClone('show', `${savedRef}:new.txt`)).toBe('new');
    });

    test('a failed run that changed nothing saves nothing', async () => {
      const { fixture, start, implementor } = bench();
      const handle = await start(implementor(), [{ do: 'fail', message: 'broken' }]);
      expect((await runError(handle.result)).savedRef).toBeNull();
      expect(await fixture.inClone('for-each-ref', 'refs/decree')).toBe('');
    });

    test.for<'implementor' | 'reviewer'>(['implementor', 'reviewer'])(
      '[AGM-06] with keepBranches the worktree of an %s is removed and its branch preserved',
      async (role) => {
        const { fixture, start } = bench();
        const steps = role === 'implementor' ? [WRITE, COMPLETED] : [APPROVED];
        const handle = await start(bench()[role](), steps, { config: { keepBranches: true } });
        await handle.result;
        await expect(readdir(join(fixture.checkout, '.worktrees'))).rejects.toThrow('ENOENT');
        const kept = role === 'implementor' ? 'refs/heads/issue-7-1' : 'refs/remotes/origin/feature/login';
        expect(await fixture.inClone('for-each-ref', '--format=%(refname)', kept)).toBe(kept);
      },
    );

    test('planners and reviewers leave nothing', async () => {
      const { fixture, start, planner, reviewer } = bench();
      await (
        await start(planner(), [PLANNED])
      ).result;
      await (
        await start(reviewer(), [APPROVED])
      ).result;
      expect(await fixture.leftovers()).toEqual([]);
    });
  });

  describe('leftovers of an interrupted run', () => {
    const bench = useBench(createHarness);

    test('[CLA-03] a stale worktree at the same place is saved, then removed', async () => {
      const { fixture, implementor } = bench();
      await fixture.makeClone();
      const folder = join(fixture.checkout, '.worktrees/issue-7-1');
      await fixture.inClone('worktree', 'add', '-q', '-b', 'issue-7-1', folder, fixture.mainSHA);
      await writeFile(join(folder, 'stale.txt'), 'from before the crash\n');
      await whileRunning(bench(), implementor(), {}, async (now) => {
        expect(now).toBe(folder);
        expect((await readdir(now)).toSorted()).toEqual(['.git', '.gitignore', 'README.md', 'docs']);
      });
      const saved = await fixture.inClone('for-each-ref', '--format=%(refname)', 'refs/decree/runs');
      expect(await fixture.inClone('show', `${saved}:stale.txt`)).toBe('from before the crash');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('[CLA-03] a plain folder in the way is saved and removed as well', async () => {
      const { fixture, start, implementor } = bench();
      const folder = join(fixture.checkout, '.worktrees/issue-7-1');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'stray.txt'), 'stray\n');
      await (
        await start(implementor(), [WRITE, COMPLETED])
      ).result;
      const saved = await fixture.inClone('for-each-ref', '--format=%(refname)', 'refs/decree/runs');
      expect(await fixture.inClone('show', `${saved}:stray.txt`)).toBe('stray');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test("a worktree of the user's own repository in the way is never removed", async () => {
      const { fixture, start, implementor } = bench();
      const folder = join(fixture.checkout, '.worktrees/issue-7-1');
      await gitIn(fixture.checkout, 'worktree', 'add', '-q', '-b', 'mine', folder);
      await writeFile(join(folder, 'mine.txt'), 'mine\n');
      await expect(start(implementor(), [COMPLETED])).rejects.toThrow('belongs to another git repository');
      expect(await readFile(join(folder, 'mine.txt'), 'utf8')).toBe('mine\n');
    });

    test('[CLA-04] a branch that exists is reset to the default branch and the worktree starts clean', async () => {
      const { fixture, implementor } = bench();
      await fixture.makeClone();
      await fixture.inClone('update-ref', 'refs/heads/issue-7-1', fixture.featureSHA);
      await whileRunning(bench(), implementor(), {}, async (folder) => {
        expect(await gitIn(folder, 'rev-parse', 'refs/heads/issue-7-1')).toBe(fixture.mainSHA);
        expect(await gitIn(folder, 'status', '--porcelain')).toBe('');
      });
    });
  });
}

/** Starts an agent that only waits, looks at its folder (as the agent itself reported it), and ends it. */
async function whileRunning(
  { fixture, adapter }: Bench,
  params: AgentStartParams,
  config: Partial<RuntimeAdapterConfig>,
  look: (folder: string) => Promise<void>,
): Promise<void> {
  const logging = { ...fixture.config.logging, agentSessions: true };
  const runtime = await adapter(HANG, { config: { ...config, logging } });
  const handle = await runtime.startAgent(params);
  await readUntil(handle.output, 'Ready.');
  try {
    const folder = await vi.waitUntil(async () => {
      const transcript = await readFile(handle.logFilePath ?? '', 'utf8');
      return /^ +Folder: (.+)\n/m.exec(transcript)?.[1];
    });
    await look(folder);
  } finally {
    runtime.cancelAgent(params.sessionID);
    await runError(handle.result);
  }
}

function gitIn(cwd: string, ...args: string[]): Promise<string> {
  return runGitText(args, { cwd });
}

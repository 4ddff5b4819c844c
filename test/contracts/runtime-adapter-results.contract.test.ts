import type { AgentRole } from '../../src/domain/run.ts';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImplementorResult } from '../../src/domain/agent-result.ts';
import type { AgentRunHandle } from '../../src/engine/runtime-adapter/types.ts';
import { runGit, runGitText } from '../../src/git/run-git.ts';
import { APPROVED, COMPLETED, PLANNED, runError, useBench } from './runtime-adapter-bench.ts';
import type { AgentStep, RuntimeAdapterHarness } from './runtime-adapter-contract.ts';
import type { RuntimeAdapterFixture } from './runtime-adapter-fixture.ts';

/** What comes out of a run: validated output, and for implementors a patch. */
export function resultContract(createHarness: () => RuntimeAdapterHarness, runsAtOnce: number): void {
  describe('the result', () => {
    const bench = useBench(createHarness);

    test('[RTA-04] [RTA-24] [CLA-31] a planner’s valid output is its result', async () => {
      const { start, planner } = bench();
      const handle = await start(planner(), [PLANNED]);
      await expect(handle.result).resolves.toEqual(PLANNED.output);
    });

    test('[RTA-04] [RTA-24] [CLA-31] a reviewer’s valid output is its result', async () => {
      const { start, reviewer } = bench();
      const handle = await start(reviewer(), [APPROVED]);
      await expect(handle.result).resolves.toEqual(APPROVED.output);
    });

    test('[RTA-04] [RTA-21] [RTA-26] [CLA-27] [CLA-33] an implementor’s result carries a patch that makes exactly its tree', async () => {
      const { fixture, start, implementor } = bench();
      const handle = await start(implementor(), [
        { do: 'write', path: 'src/new.txt', content: 'committed\n' },
        { do: 'run', command: 'git add -A && git commit -q -m "Add a file"' },
        { do: 'write', path: 'README.md', content: '# Sample\n\nNot committed, no line break' },
        COMPLETED,
      ]);
      const result = await implementorResult(handle);
      expect(result).toMatchObject({ outcome: 'completed', summary: 'Done.', baseSHA: fixture.mainSHA });
      expect(result.patch).toContain('+committed');
      expect(await treeAfter(fixture, result)).toBe(result.treeSHA);
    });

    test('what other people pushed meanwhile is not part of the patch', async () => {
      const { fixture, start, implementor } = bench();
      const handle = await start(implementor(), [{ do: 'write', path: 'mine.txt', content: 'mine\n' }, COMPLETED]);
      await fixture.push('main', 'theirs.txt', 'theirs\n');
      const result = await implementorResult(handle);
      expect(result.patch).not.toContain('theirs');
      expect(await treeAfter(fixture, result)).toBe(result.treeSHA);
    });

    test('files that only set-up changed are not part of the patch', async () => {
      const { fixture, start, implementor } = bench();
      const config = { setupCommand: 'echo installed > installed.txt' };
      const write: AgentStep = { do: 'write', path: 'mine.txt', content: 'mine\n' };
      const result = await implementorResult(await start(implementor(), [write, COMPLETED], { config }));
      expect(result.patch).not.toContain('installed');
      expect(await treeAfter(fixture, result)).toBe(result.treeSHA);
    });

    test('[RTA-22] [CLA-28] an implementor that says completed but changed nothing has failed', async () => {
      const { start, implementor } = bench();
      const handle = await start(implementor(), [COMPLETED]);
      expect((await runError(handle.result)).kind).toBe('empty-patch');
    });

    test('an implementor whose only changes come from set-up has failed', async () => {
      const { start, implementor } = bench();
      const config = { setupCommand: 'echo installed > installed.txt' };
      const handle = await start(implementor(), [COMPLETED], { config });
      expect((await runError(handle.result)).kind).toBe('empty-patch');
    });

    test.for<'blocked' | 'validation-failure'>(['blocked', 'validation-failure'])(
      '[RTA-23] [CLA-29] [CLA-30] with the outcome %s there is no patch, but the work is kept',
      async (outcome) => {
        const { fixture, start, implementor } = bench();
        const params = implementor();
        const handle = await start(params, [
          { do: 'write', path: 'half.txt', content: 'half\n' },
          { do: 'return', output: { role: 'implementor', outcome, summary: 'Cannot go on.' } },
        ]);
        const nothing = { patch: null, baseSHA: null, treeSHA: null };
        const expected = { role: 'implementor', outcome, summary: 'Cannot go on.', ...nothing };
        await expect(handle.result).resolves.toEqual(expected);
        expect(await fixture.inClone('show', `refs/decree/runs/${params.sessionID}:half.txt`)).toBe('half');
      },
    );

    test.for<[AgentRole, object]>([
      ['implementor', { role: 'implementor', outcome: 'finished', summary: 'x' }],
      ['reviewer', { role: 'reviewer', review: { verdict: 'approve' } }],
      ['planner', { role: 'planner', create: [{ title: 'x' }], close: [], update: [] }],
    ])('[RTA-25] an invalid output of the %s makes the result reject', async ([role, output]) => {
      const { fixture, start } = bench();
      const handle = await start(bench()[role](), [{ do: 'return', output }]);
      expect((await runError(handle.result)).kind).toBe('invalid-output');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('what the run used is known when the result is', async () => {
      const { start, reviewer } = bench();
      const handle = await start(reviewer({ modelOverride: 'opus' }), [APPROVED]);
      await handle.result;
      const usage = await handle.usage;
      expect(usage.turns).toBeGreaterThan(0);
      expect(usage.durationMs).toBeGreaterThanOrEqual(0);
    });
  });

  describe('many runs at once', () => {
    const bench = useBench(createHarness);

    test('all finish, nothing is left, and the user’s checkout is untouched', async () => {
      const { fixture, adapter, implementor } = bench();
      const write: AgentStep = { do: 'write', path: 'mine.txt', content: 'mine\n' };
      const commit: AgentStep = { do: 'run', command: 'git add -A && git commit -q -m mine' };
      const runtime = await adapter([write, commit, COMPLETED]);
      await mkdir(join(fixture.checkout, 'user'), { recursive: true });
      const before = await fixture.fingerprint();
      const runs = Array.from({ length: runsAtOnce }, async (_, index) => {
        const handle = await runtime.startAgent(implementor({ branchName: `team/issue-${index}` }));
        return implementorResult(handle);
      });
      const results = await Promise.all(runs);
      expect(new Set(results.map((result) => result.treeSHA)).size).toBe(1);
      expect(await fixture.leftovers()).toEqual([]);
      expect(await fixture.fingerprint()).toBe(before);
      expect(await readFile(join(fixture.checkout, 'README.md'), 'utf8')).toContain('# Sample');
    });
  });
}

async function implementorResult(handle: AgentRunHandle): Promise<ImplementorResult> {
  const result = await handle.result;
  if (result.role !== 'implementor') throw new Error(`a ${result.role} answered`);
  return result;
}

/** Applies the patch with git, on the commit that it names, and returns the tree that comes out. */
async function treeAfter(fixture: RuntimeAdapterFixture, result: ImplementorResult): Promise<string> {
  const env = { GIT_INDEX_FILE: join(fixture.remote, `check-${crypto.randomUUID()}`) };
  await runGit(['read-tree', result.baseSHA ?? ''], { cwd: fixture.remote, env });
  await runGit(['apply', '--cached', '-'], { cwd: fixture.remote, env, input: result.patch ?? '' });
  return runGitText(['write-tree'], { cwd: fixture.remote, env });
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { APPROVED, COMPLETED, PLANNED, readAll, readUntil, runError, useBench } from './runtime-adapter-bench.ts';
import type { RuntimeAdapterHarness } from './runtime-adapter-contract.ts';

const failing = async (): Promise<never> => {
  throw new Error('the forge is away');
};

/** Starting, cancelling, time limits and the live output. */
export function lifecycleContract(createHarness: () => RuntimeAdapterHarness): void {
  describe('starting an agent', () => {
    const bench = useBench(createHarness);

    test.for<'implementor' | 'reviewer'>(['implementor', 'reviewer'])(
      '[RTA-01] [CLA-01] [AGM-12] a failing yarn install rejects the start of an %s; nothing is left and no agent ran',
      async (role) => {
        const { fixture, start } = bench();
        await fixture.push('main', 'yarn.lock', '');
        await fixture.push('feature/login', 'yarn.lock', '');
        await fixture.addProgram('yarn', 'echo "yarn $*: no network"; exit 7');
        const logging = { ...fixture.config.logging, agentSessions: true };
        const started = start(bench()[role](), [{ do: 'print', text: 'I live' }], { config: { logging } });
        await expect(started).rejects.toThrow(/"yarn install" failed with exit code 7[^]*yarn install: no network/);
        expect(await fixture.leftovers()).toEqual([]);
        await expect(readdir(logging.logsDir)).rejects.toThrow('ENOENT');
      },
    );

    test('[RTA-01] a start without a forge to fetch from rejects and leaves nothing', async () => {
      const { fixture, start, implementor } = bench();
      const deps = { gitAccess: async () => ({ url: join(fixture.checkout, 'no-such.git'), authorization: '' }) };
      await expect(start(implementor(), [COMPLETED], { deps })).rejects.toThrow('git fetch');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('[RTA-02] [CLA-08] a work item that cannot be read rejects the start and leaves nothing', async () => {
      const { fixture, start, implementor } = bench();
      const deps = { workItemReader: { ...fixture.deps.workItemReader, getWorkItemBody: failing } };
      await expect(start(implementor(), [COMPLETED], { deps })).rejects.toThrow('the forge is away');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('[RTA-02] [CLA-08] a revision that cannot be read rejects the start and leaves nothing', async () => {
      const { fixture, start, reviewer } = bench();
      const deps = { revisionReader: { ...fixture.deps.revisionReader, getRevisionFiles: failing } };
      await expect(start(reviewer(), [APPROVED], { deps })).rejects.toThrow('the forge is away');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('[RTA-02] [CLA-08] a spec that cannot be read rejects the start and leaves nothing', async () => {
      const { fixture, start, planner } = bench();
      const deps = { specReader: { ...fixture.deps.specReader, getBlob: failing } };
      await expect(start(planner(), [PLANNED], { deps })).rejects.toThrow('the forge is away');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('[RTA-03] a started agent streams its text while the result is pending', async () => {
      const { adapter, implementor } = bench();
      const params = implementor();
      const runtime = await adapter([{ do: 'print', text: 'Looking around.' }, { do: 'hang' }]);
      const handle = await runtime.startAgent(params);
      await readUntil(handle.output, 'Looking around.');
      expect(await Promise.race([handle.result, Promise.resolve('pending')])).toBe('pending');
      runtime.cancelAgent(params.sessionID);
      await runError(handle.result);
    });

    test('[RTA-05] an agent that fails makes the result reject', async () => {
      const { fixture, start, implementor } = bench();
      const handle = await start(implementor(), [{ do: 'fail', message: 'the model went away' }]);
      expect((await runError(handle.result)).kind).toBe('failed');
      expect((await handle.usage).durationMs).toBeGreaterThanOrEqual(0);
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('a session id is good for one run at a time', async () => {
      const { adapter, implementor } = bench();
      const params = implementor();
      const runtime = await adapter([{ do: 'hang' }]);
      const handle = await runtime.startAgent(params);
      await expect(runtime.startAgent(params)).rejects.toThrow('already running');
      runtime.cancelAgent(params.sessionID);
      expect((await runError(handle.result)).kind).toBe('cancelled');
    });

    test('with logging the transcript is complete when the result comes', async () => {
      const { fixture, start, implementor } = bench();
      const logging = { ...fixture.config.logging, agentSessions: true };
      const steps = [
        { do: 'print', text: 'Writing it down.' },
        { do: 'fail', message: 'broken' },
      ] as const;
      const handle = await start(implementor(), steps, { config: { logging } });
      await runError(handle.result);
      const transcript = await readFile(handle.logFilePath ?? '', 'utf8');
      expect(transcript).toContain('Writing it down.');
      expect(transcript).toContain('=== Session failed ===');
    });

    test('without logging there is no transcript', async () => {
      const { start, reviewer } = bench();
      const handle = await start(reviewer(), [APPROVED]);
      await handle.result;
      expect(handle.logFilePath).toBeNull();
    });
  });

  describe('cancelling an agent', () => {
    const bench = useBench(createHarness);

    test('[RTA-06] [RTA-30] [CLA-12] [CLA-13] [CLA-41] a cancelled run ends: output over, result rejected, nothing left', async () => {
      const { fixture, adapter, implementor } = bench();
      const params = implementor();
      const runtime = await adapter([{ do: 'print', text: 'Working.' }, { do: 'hang' }]);
      const handle = await runtime.startAgent(params);
      const iterator = await readUntil(handle.output, 'Working.');
      runtime.cancelAgent(params.sessionID);
      expect(await iterator.next()).toMatchObject({ done: true });
      expect((await runError(handle.result)).kind).toBe('cancelled');
      expect(await fixture.leftovers()).toEqual([]);
      expect(fixture.clock.pending).toBe(0);
    });

    test('a command that the agent is running ends with it', async () => {
      const { fixture, adapter, implementor } = bench();
      await fixture.addProgram('npm', `touch "${fixture.checkout}/.decree/busy"; while :; do sleep 0.05; done`);
      const params = implementor();
      const runtime = await adapter([{ do: 'run', command: 'npm test' }]);
      const handle = await runtime.startAgent(params);
      const busy = join(fixture.checkout, '.decree/busy');
      await vi.waitFor(() => readFile(busy), { timeout: 20_000 });
      runtime.cancelAgent(params.sessionID);
      expect((await runError(handle.result)).kind).toBe('cancelled');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('a run can be cancelled while it is still being set up', async () => {
      const { fixture, adapter, implementor } = bench();
      const params = implementor();
      const setupCommand = `touch "${fixture.checkout}/.decree/setting-up"; while :; do sleep 0.05; done`;
      const runtime = await adapter([COMPLETED], { config: { setupCommand } });
      const started = runtime.startAgent(params);
      const failure = runError(started);
      await vi.waitFor(() => readFile(join(fixture.checkout, '.decree/setting-up')), { timeout: 20_000 });
      runtime.cancelAgent(params.sessionID);
      expect((await failure).kind).toBe('cancelled');
      expect(await fixture.leftovers()).toEqual([]);
      expect(fixture.clock.pending).toBe(0);
    });

    test('a run that is cancelled at once never starts its agent', async () => {
      const { fixture, adapter, implementor } = bench();
      const params = implementor();
      const runtime = await adapter([COMPLETED]);
      const failure = runError(runtime.startAgent(params));
      runtime.cancelAgent(params.sessionID);
      expect((await failure).kind).toBe('cancelled');
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('[RTA-07] [CLA-14] cancelling an unknown or finished session does nothing', async () => {
      const { adapter, reviewer } = bench();
      const params = reviewer();
      const runtime = await adapter([APPROVED]);
      runtime.cancelAgent('no-such-session');
      const handle = await runtime.startAgent(params);
      await handle.result;
      runtime.cancelAgent(params.sessionID);
      await expect(handle.result).resolves.toMatchObject({ role: 'reviewer' });
    });
  });

  describe('the time limit', () => {
    const bench = useBench(createHarness);

    test('[RTA-27] [CLA-42] a run over maxAgentDuration is stopped and rejects as timed out', async () => {
      const { fixture, start, implementor } = bench();
      const steps = [{ do: 'print', text: 'Thinking.' }, { do: 'hang' }] as const;
      const handle = await start(implementor(), steps, { config: { maxAgentDuration: 300 } });
      const iterator = await readUntil(handle.output, 'Thinking.');
      fixture.clock.advance(299_999);
      expect(await Promise.race([handle.result, Promise.resolve('pending')])).toBe('pending');
      fixture.clock.advance(1);
      const error = await runError(handle.result);
      expect(error).toMatchObject({ kind: 'timed-out', message: expect.stringContaining('300 s') });
      expect(await iterator.next()).toMatchObject({ done: true });
      expect(await fixture.leftovers()).toEqual([]);
    });

    test('a set-up that takes for ever is stopped as well', async () => {
      const { fixture, adapter, implementor } = bench();
      const setupCommand = `touch "${fixture.checkout}/.decree/setting-up"; while :; do sleep 0.05; done`;
      const runtime = await adapter([COMPLETED], { config: { setupCommand } });
      const failure = runError(runtime.startAgent(implementor()));
      await vi.waitFor(() => readFile(join(fixture.checkout, '.decree/setting-up')), { timeout: 20_000 });
      fixture.clock.advance(300_000);
      expect((await failure).kind).toBe('timed-out');
      expect(await fixture.leftovers()).toEqual([]);
    });
  });

  describe('the live output', () => {
    const bench = useBench(createHarness);

    test('[RTA-28] [RTA-29] [CLA-39] [CLA-40] only what the agent says is shown, and the output ends with the session', async () => {
      const { start, implementor } = bench();
      const handle = await start(implementor(), [
        { do: 'print', text: 'First I write.' },
        { do: 'write', path: 'new.txt', content: 'secret of the file\n' },
        { do: 'run', command: 'git status' },
        { do: 'print', text: 'Then \u001b[31mred\u001b[0m\u0000 I am done.' },
        COMPLETED,
      ]);
      const text = await readAll(handle.output);
      expect(text.replaceAll(/\s+/g, ' ').trim()).toMatch(/^First I write\. ?Then red I am done\.$/);
      await handle.result;
    });
  });
}

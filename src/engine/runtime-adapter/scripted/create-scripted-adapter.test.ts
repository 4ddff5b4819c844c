import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contextDeps, revision } from '../../../../test/claude/context-deps.ts';
import { sampleWorkItem } from '../../../../test/world/sample-work-item.ts';
import { createManualClock } from '../../../../test/contracts/manual-clock.ts';
import type { AgentRunHandle, AgentStartParams, RuntimeAdapter } from '../../ports.ts';
import { RunError } from '../../ports.ts';
import type { Workspaces } from '../workspace/workspace.ts';
import type { Script, ScriptContext } from './create-scripted-adapter.ts';
import { createScriptedAdapter } from './create-scripted-adapter.ts';
import type { Scenario, Step } from './scenario.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decree-scripted-'));
  await writeFile(join(folder, 'README.md'), 'one two two\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const clock = createManualClock();
const { deps } = contextDeps({
  workItems: [sampleWorkItem(), sampleWorkItem({ id: '8', title: 'Polish login', linkedRevision: '9' })],
  bodies: { '7': 'Let people log in.', '8': 'Make it pretty.' },
  revisions: [revision()],
  files: [],
  history: {},
  checks: [],
});

/** Without git: the workspace is a plain folder, and its patch is a word. */
function createAdapter(script: Scenario | Script): RuntimeAdapter {
  const workspaces: Workspaces = {
    open: async () => ({
      folder,
      conflicts: [],
      extract: async () => ({ patch: 'patch', baseSHA: 'base', treeSHA: 'tree' }),
      close: async () => null,
    }),
    takeOver: async () => null,
  };
  const config = {
    maxAgentDuration: 60,
    logging: { agentSessions: false, logsDir: folder },
    repoRoot: folder,
    defaultBranch: 'main',
    agentEnvironment: () => ({ PATH: process.env['PATH'] ?? '', GREETING: 'hello' }),
    script,
  };
  return createScriptedAdapter(config, { ...deps, clock }, workspaces);
}

function implementor(fields: { workItemID?: string; attempt?: number; budgetUSD?: number } = {}): AgentStartParams {
  const start = { from: 'default-branch' } as const;
  const base = { role: 'implementor', sessionID: 's1', attempt: 1, workItemID: '7', branchName: 'b' } as const;
  return { ...base, start, repair: null, ...fields };
}

const DONE: Step = { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: 'Done.' } };

const start = (...steps: Step[]): Promise<AgentRunHandle> => createAdapter(() => steps).startAgent(implementor());

async function failureOf(handle: AgentRunHandle): Promise<RunError> {
  const error: unknown = await handle.result.catch((reason: unknown) => reason);
  if (error instanceof RunError) return error;
  throw new Error('the run did not fail', { cause: error });
}

describe('steps', () => {
  test('files are written, edited and deleted', async () => {
    const handle = await start(
      { do: 'write', path: 'bin/run.sh', content: '#!/bin/sh\n', executable: true },
      { do: 'write', path: 'gone.txt', content: '' },
      { do: 'delete', path: 'gone.txt' },
      { do: 'edit', path: 'README.md', find: 'two', replace: '$& 2' },
      DONE,
    );
    await expect(handle.result).resolves.toMatchObject({ outcome: 'completed', patch: 'patch', treeSHA: 'tree' });
    expect((await stat(join(folder, 'bin/run.sh'))).mode & 0o111).not.toBe(0);
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('one $& 2 two\n');
    await expect(readFile(join(folder, 'gone.txt'))).rejects.toThrow('ENOENT');
  });

  test('a command runs in the folder with the agent’s environment', async () => {
    const handle = await start({ do: 'run', command: 'echo "$GREETING" > greeting.txt' }, DONE);
    await handle.result;
    expect(await readFile(join(folder, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });

  test('a failing command fails the run with what it said, unless it may fail', async () => {
    const failed = await failureOf(await start({ do: 'run', command: 'echo "2 tests failed"; exit 1' }, DONE));
    expect(failed.message).toMatch(/exit code 1: 2 tests failed/);
    const allowed = await start({ do: 'run', command: 'exit 1', mayFail: true }, DONE);
    await expect(allowed.result).resolves.toMatchObject({ outcome: 'completed' });
  });

  test('waiting takes time of the clock that was passed in', async () => {
    const handle = await start({ do: 'wait', ms: 5_000 }, DONE);
    clock.advance(4_999);
    expect(await Promise.race([handle.result, Promise.resolve('pending')])).toBe('pending');
    clock.advance(1);
    await expect(handle.result).resolves.toMatchObject({ outcome: 'completed' });
    expect((await handle.usage).durationMs).toBe(5_000);
  });

  test('what is spent is reported, and stops the run beyond its budget', async () => {
    const spend: Step = { do: 'spend', usd: 0.4, inputTokens: 100, outputTokens: 10 };
    const adapter = createAdapter(() => [spend, spend, DONE]);
    const within = await adapter.startAgent(implementor({ budgetUSD: 1 }));
    await within.result;
    expect(await within.usage).toMatchObject({ costUSD: 0.8, inputTokens: 200, outputTokens: 20, turns: 3 });
    const beyond = await adapter.startAgent(implementor({ budgetUSD: 0.5 }));
    expect((await failureOf(beyond)).kind).toBe('over-budget');
    expect((await beyond.usage).costUSD).toBe(0.8);
  });

  test('a script without an end is an invalid output', async () => {
    const failure = await failureOf(await start({ do: 'print', text: 'That was it.' }));
    expect(failure).toMatchObject({ kind: 'invalid-output', message: expect.stringContaining('nothing was returned') });
  });

  test.for(['../outside.txt', '/etc/outside.txt', 'a/../../outside.txt', '.'])(
    'writing to %s fails the run',
    async (path) => {
      const failure = await failureOf(await start({ do: 'write', path, content: '' }, DONE));
      expect(failure.message).toContain('leads out of its working folder');
    },
  );

  test('an edit of a text that is not there fails the run', async () => {
    const failure = await failureOf(await start({ do: 'edit', path: 'README.md', find: 'three', replace: '' }, DONE));
    expect(failure.message).toContain('"three"');
  });

  test('a reviewer cannot change files', async () => {
    const adapter = createAdapter(() => [{ do: 'write', path: 'x', content: '' }]);
    const params = { role: 'reviewer', workItemID: '8', revisionID: '9', headRef: 'f' } as const;
    const handle = await adapter.startAgent({ ...params, sessionID: 's2', attempt: 1 });
    expect((await failureOf(handle)).message).toContain('a reviewer must not change files');
  });
});

describe('scripts by function', () => {
  test('they see the folder, the prompt, the work item and the revision', async () => {
    let seen: ScriptContext | null = null;
    const adapter = createAdapter((_params, context) => {
      seen = context;
      return [DONE];
    });
    await (
      await adapter.startAgent(implementor({ workItemID: '8' }))
    ).result;
    expect(seen).toMatchObject({ folder, workItem: { id: '8' }, revision: { id: '9' } });
    expect(seen).toHaveProperty('prompt', expect.stringContaining('## Work Item #8 — Polish login'));
  });

  test('they may decide step by step', async () => {
    const adapter = createAdapter(async function* (_params, context) {
      yield { do: 'write', path: 'count.txt', content: '1' } as const;
      const count = await readFile(join(context.folder, 'count.txt'), 'utf8');
      yield {
        do: 'return',
        output: { role: 'implementor', outcome: 'blocked', summary: `count is ${count}` },
      } as const;
    });
    const handle = await adapter.startAgent(implementor());
    await expect(handle.result).resolves.toMatchObject({ summary: 'count is 1', patch: null });
  });

  test('one that throws rejects the start', async () => {
    const adapter = createAdapter(() => {
      throw new Error('no idea what to do');
    });
    await expect(adapter.startAgent(implementor())).rejects.toThrow('no idea what to do');
  });
});

describe('scripts as data', () => {
  const say = (summary: string): Step => ({
    do: 'return',
    output: { role: 'implementor', outcome: 'blocked', summary },
  });
  const scenario: Scenario = {
    runs: [
      { role: 'implementor', workItemID: '7', attempt: 2, steps: [say('second attempt at 7')] },
      { role: 'implementor', title: 'Polish', isRevised: true, steps: [say('polish again')] },
      { role: 'implementor', title: 'login', isRevised: false, steps: [say('any login')] },
    ],
  };

  test.for([
    ['7', 1, 'any login'],
    ['7', 2, 'second attempt at 7'],
    ['8', 1, 'polish again'],
  ] as const)(
    'the first entry that fits work item %s, attempt %s is taken: %s',
    async ([workItemID, attempt, summary]) => {
      const handle = await createAdapter(scenario).startAgent(implementor({ workItemID, attempt }));
      await expect(handle.result).resolves.toMatchObject({ summary });
    },
  );

  test('a run without an entry rejects its start and says what is missing', async () => {
    const adapter = createAdapter({ runs: [] });
    const message = 'no entry for attempt 1 of the implementor of work item 7 ("Add login")';
    await expect(adapter.startAgent(implementor())).rejects.toThrow(message);
  });

  test('a scenario is checked when the adapter is made', () => {
    const wrong = JSON.parse('{"runs":[{"role":"implementor","steps":[{"do":"dance"}]}]}');
    expect(() => createAdapter(wrong)).toThrow(/not valid:[^]*runs\[0\]\.steps\[0\]\.do/);
  });
});

test('a thousand runs without git take a moment', async () => {
  const adapter = createAdapter(() => [{ do: 'print', text: 'Hi.' }, DONE]);
  const runs = Array.from({ length: 1_000 }, async (_, index) => {
    const handle = await adapter.startAgent({ ...implementor(), sessionID: `s${index}` });
    return handle.result;
  });
  const results = await Promise.all(runs);
  expect(results.filter((result) => result.role === 'implementor')).toHaveLength(1_000);
});

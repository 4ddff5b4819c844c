import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findSessionProcesses } from '../../src/engine/runtime-adapter/session/end-session-processes.ts';
import { runError } from '../contracts/runtime-adapter-bench.ts';
import { apiError, finish, hang, longMessage, message, text, tool } from '../scripted-model/turn.ts';
import { startClaudeHarness, type ClaudeHarness } from './claude-harness.ts';
import { implementorParams } from '../world/implementor-params.ts';

let harness: ClaudeHarness;

beforeAll(async () => {
  harness = await startClaudeHarness();
});

afterAll(async () => {
  await harness[Symbol.asyncDispose]();
});

const DONE = { role: 'implementor', outcome: 'completed', summary: 'Done.' };
const LOOK = tool('Bash', { command: 'ls', description: 'Look' });

/** A program that runs until it is ended and says, in a file, that it runs. */
const SERVE = `import { writeFileSync } from 'node:fs';\nwriteFileSync('serving', '');\nsetInterval(() => {}, 1000);\n`;

function folderOf(branchName: string): string {
  return join(harness.fixture.checkout, '.worktrees', branchName);
}

async function define(name: string, frontmatter: string): Promise<{ agentNames: { implementor: string } }> {
  const folder = join(harness.fixture.checkout, '.claude', 'agents');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.md`), `---\n${frontmatter}\n---\nWork.\n`);
  return { agentNames: { implementor: name } };
}

describe('the result', () => {
  test('[CLA-32] output of the wrong shape is refused after the SDK has given up', async () => {
    const adapter = await harness.adapter('wrong', [finish({ role: 'implementor', outcome: 'perfect' })]);
    const handle = await adapter.startAgent(implementorParams());
    const error = await runError(handle.result);
    expect(error.kind).toBe('invalid-output');
    expect(error.message).toMatch(/outcome/);
    expect(harness.model.requests('wrong').length).toBeGreaterThan(3);
    expect((await handle.usage).costUSD).toBeGreaterThan(0);
  });

  test('words instead of a result are refused', async () => {
    const adapter = await harness.adapter('words', [message(text('I am done.'))]);
    const handle = await adapter.startAgent(implementorParams());
    expect((await runError(handle.result)).kind).toBe('invalid-output');
  });
});

describe('limits', () => {
  test('a session over its budget is stopped, and what it cost is known', async () => {
    const adapter = await harness.adapter('budget', [longMessage(100_000, LOOK)]);
    const handle = await adapter.startAgent(implementorParams({ budgetUSD: 0.5 }));
    expect((await runError(handle.result)).kind).toBe('over-budget');
    const usage = await handle.usage;
    expect(usage.costUSD).toBeGreaterThan(0.5);
    expect(usage.outputTokens).toBe(100_000);
  });

  test('[CLA-34] [CLA-37] turns and tools are those of the definition', async () => {
    const config = await define('brief', 'tools: Read, Bash, Write\ndisallowedTools: Write\nmaxTurns: 2');
    const adapter = await harness.adapter('brief', [message(LOOK)], { config });
    const handle = await adapter.startAgent(implementorParams());
    const error = await runError(handle.result);
    expect(error.kind).toBe('failed');
    expect(error.message).toMatch(/maxTurns/);
    expect((await handle.usage).turns).toBe(3);
    const requests = harness.model.requests('brief');
    expect(requests).toHaveLength(2);
    const tools = requests[0]?.body.tools.map(({ name }) => name) ?? [];
    expect(tools).toEqual(expect.arrayContaining(['Bash', 'Read', 'StructuredOutput']));
    expect(tools).not.toContain('Write');
    expect(tools).not.toContain('WebFetch');
  });
});

describe('errors of the API', () => {
  test('a refused login fails within seconds and says what to check', async () => {
    const adapter = await harness.adapter('login', [apiError(401, 'authentication_error', 'invalid x-api-key')]);
    const handle = await adapter.startAgent(implementorParams());
    const error = await runError(handle.result);
    expect(error.kind).toBe('failed');
    expect(error.message).toMatch(/ANTHROPIC_API_KEY/);
    expect(harness.model.requests('login').length).toBeLessThan(4);
  });

  test('an overloaded model is asked again', async () => {
    const adapter = await harness.adapter('busy', [
      apiError(529, 'overloaded_error', 'Overloaded'),
      finish({ ...DONE, outcome: 'blocked' }),
    ]);
    const handle = await adapter.startAgent(implementorParams());
    expect(await handle.result).toMatchObject({ outcome: 'blocked' });
    expect(harness.model.requests('busy')).toHaveLength(2);
  });

  test('a model that stays overloaded fails the run, although the SDK calls that a success', async () => {
    const adapter = await harness.adapter('overloaded', [apiError(529, 'overloaded_error', 'Overloaded')], {
      env: { CLAUDE_CODE_MAX_RETRIES: '0' },
    });
    const handle = await adapter.startAgent(implementorParams());
    const error = await runError(handle.result);
    expect(error.kind).toBe('failed');
    expect(error.message).toMatch(/529/);
  });
});

describe('ending', () => {
  test('[CLA-12] [CLA-13] [CLA-41] cancelled in the middle of a command, no process is left and the work is saved', async () => {
    const params = implementorParams();
    const folder = folderOf(params.branchName);
    const adapter = await harness.adapter('cancel', [
      message(tool('Write', { file_path: join(folder, 'serve.mjs'), content: SERVE })),
      message(tool('Bash', { command: 'node serve.mjs', description: 'Serve' })),
    ]);
    const handle = await adapter.startAgent(params);
    await vi.waitFor(() => readFile(join(folder, 'serving')), { timeout: 20_000 });
    expect((await findSessionProcesses(params.sessionID)).length).toBeGreaterThanOrEqual(2);

    adapter.cancelAgent(params.sessionID);
    const error = await runError(handle.result);
    expect(error.kind).toBe('cancelled');
    expect(await findSessionProcesses(params.sessionID)).toEqual([]);
    expect(await harness.fixture.leftovers()).toEqual([]);
    expect(await harness.fixture.inClone('show', `${error.savedRef ?? ''}:serve.mjs`)).toContain('setInterval');
    expect(await handle.usage).toMatchObject({ costUSD: null, model: expect.stringContaining('claude') });
  });

  test('[CLA-42] a session over its time is stopped', async () => {
    const params = implementorParams();
    const adapter = await harness.adapter('slow', [hang], { config: { maxAgentDuration: 300 } });
    const handle = await adapter.startAgent(params);
    await harness.model.reached('slow', 1);
    harness.fixture.clock.advance(300_000);
    expect((await runError(handle.result)).kind).toBe('timed-out');
    expect(await findSessionProcesses(params.sessionID)).toEqual([]);
  });

  test('what an agent left running in the background ends with its session', async () => {
    const params = implementorParams();
    const folder = folderOf(params.branchName);
    const adapter = await harness.adapter('background', [
      message(tool('Write', { file_path: join(folder, 'serve.mjs'), content: SERVE })),
      message(tool('Bash', { command: 'node serve.mjs &', description: 'Serve' })),
      finish(DONE),
    ]);
    const handle = await adapter.startAgent(params);
    expect(await handle.result).toMatchObject(DONE);
    expect(await findSessionProcesses(params.sessionID)).toEqual([]);
  });

  test('cancelled before its first message, it never runs', async () => {
    const params = implementorParams();
    const adapter = await harness.adapter('early', [finish(DONE)]);
    const started = runError(adapter.startAgent(params));
    await vi.waitFor(async () => expect(await findSessionProcesses(params.sessionID)).not.toEqual([]), {
      timeout: 20_000,
      interval: 5,
    });
    adapter.cancelAgent(params.sessionID);
    expect((await started).kind).toBe('cancelled');
    expect(await findSessionProcesses(params.sessionID)).toEqual([]);
    expect(await harness.fixture.leftovers()).toEqual([]);
    expect(harness.model.requests('early')).toEqual([]);
  });

  test('a child that dies on its own fails the run', async () => {
    const params = implementorParams();
    const adapter = await harness.adapter('dies', [hang]);
    const handle = await adapter.startAgent(params);
    await harness.model.reached('dies', 1);
    // Without an id this would end the tests themselves.
    if (!handle.process) throw new Error('The agent has no process.');
    process.kill(handle.process.pid, 'SIGKILL');
    const error = await runError(handle.result);
    expect(error.kind).toBe('failed');
    expect(error.message).toMatch(/broke off/);
  });
});

describe('what cannot start', () => {
  test.each([
    ['[CLA-06] without its definition', { agentNames: { implementor: 'nobody' } }, /nobody\.md/],
    ['[CLA-11] without a context file', { contextPaths: ['docs/none.md'] }, /docs\/none\.md/],
    ['without the sandbox that is required', { sandbox: 'required' as const }, /bwrap/],
  ])('%s, it rejects and leaves nothing', async (_, config, reason) => {
    const logging = { agentSessions: true, logsDir: join(harness.fixture.checkout, '..', 'logs', randomUUID()) };
    const bare = { ...config, logging };
    const adapter = await harness.adapter('never', [finish(DONE)], {
      config: bare,
      env: { PATH: '/nowhere' },
    });
    await expect(adapter.startAgent(implementorParams())).rejects.toThrow(reason);
    expect(await harness.fixture.leftovers()).toEqual([]);
    expect(harness.model.requests('never')).toEqual([]);
  });

  test('[CLA-07] with a malformed definition, it rejects and leaves nothing', async () => {
    const config = await define('malformed', 'tools: [Read');
    const adapter = await harness.adapter('malformed', [finish(DONE)], { config });
    await expect(adapter.startAgent(implementorParams())).rejects.toThrow(/malformed frontmatter/);
    expect(await harness.fixture.leftovers()).toEqual([]);
  });
});

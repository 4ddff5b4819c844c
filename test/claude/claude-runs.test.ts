import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAll } from '../contracts/runtime-adapter-bench.ts';
import { SPEC_BLOB, SPEC_PATH } from '../contracts/runtime-adapter-fixture.ts';
import { finish, message, text, tool } from '../scripted-model/turn.ts';
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

test('[CLA-31] [CLA-33] [CLA-39] [CLA-40] an implementor edits, commits and returns a patch of all it did', async () => {
  const params = implementorParams();
  const folder = join(harness.fixture.checkout, '.worktrees', params.branchName);
  const logsDir = join(harness.fixture.checkout, '..', 'logs');
  const adapter = await harness.adapter(
    'implement',
    [
      message(text('I will add a page.'), tool('Write', { file_path: join(folder, 'page.txt'), content: 'hello\n' })),
      message(tool('Bash', { command: 'git add page.txt && git commit -q -m "Add a page"', description: 'Commit' })),
      message(text('One more file.'), tool('Write', { file_path: join(folder, 'more.txt'), content: 'more\n' })),
      finish(DONE),
    ],
    { config: { logging: { agentSessions: true, logsDir } } },
  );
  const handle = await adapter.startAgent({ ...params, budgetUSD: 1 });

  expect(handle.process?.pid).toBeGreaterThan(0);
  expect(await readAll(handle.output)).toBe('I will add a page.\nOne more file.\n');
  const result = await handle.result;
  expect(result).toMatchObject({ ...DONE, baseSHA: harness.fixture.mainSHA });
  expect(result.role === 'implementor' && result.patch).toMatch(/^\+more$[^]*^\+hello$/m);
  expect(await handle.usage).toEqual({
    model: expect.stringContaining('claude'),
    turns: 5,
    inputTokens: 40,
    outputTokens: 80,
    costUSD: expect.any(Number),
    durationMs: expect.any(Number),
  });
  expect(await harness.fixture.leftovers()).toEqual([]);

  const [request] = harness.model.requests('implement');
  expect(request?.sessionID).toBe(params.sessionID);
  expect(request?.raw).toContain('## Work Item #7 — Add login');
  expect(request?.raw).toContain('You are the implementor.');

  const log = await readFile(handle.logFilePath ?? '', 'utf8');
  expect(log).toMatch(/SYSTEM init\n {2}Model: claude[^]*ASSISTANT\n {2}I will add a page\.[^]*\[tool_use\] Bash/);
  expect(log).toMatch(/UNKNOWN user\n {2}\{"type":"user"/);
  expect(log).toMatch(/RESULT success[^]*=== Session completed ===/);
});

test('a planner gets the spec and returns its plan', async () => {
  const plan = {
    role: 'planner',
    create: [{ tempID: 'a', title: 'Add login', body: 'Text', labels: ['priority:high'], blockedBy: [] }],
    close: [],
    update: [{ workItemID: '7', body: null, labels: null }],
  };
  const adapter = await harness.adapter('plan', [message(tool('Read', { file_path: SPEC_PATH })), finish(plan)]);
  const handle = await adapter.startAgent({
    role: 'planner',
    sessionID: randomUUID(),
    attempt: 1,
    modelOverride: 'claude-sonnet-5',
    specPaths: [SPEC_PATH],
    commitSHA: harness.fixture.mainSHA,
    blobSHAs: { [SPEC_PATH]: SPEC_BLOB },
  });
  expect(await handle.result).toEqual(plan);
  expect((await handle.usage).model).toBe('claude-sonnet-5');
  const [request, second] = harness.model.requests('plan');
  expect(request?.body.model).toBe('claude-sonnet-5');
  expect(request?.raw).toContain(`### ${SPEC_PATH} (added)`);
  expect(request?.body.tools.map(({ name }) => name)).not.toContain('Write');
  expect(second?.raw).toContain('# Login');
});

test('a reviewer works at the head of the revision and returns its review', async () => {
  const review = {
    verdict: 'needs-changes',
    summary: 'Not yet.',
    comments: [{ path: 'login.txt', line: 1, body: 'Why?' }],
  };
  const adapter = await harness.adapter('review', [
    message(tool('Bash', { command: 'cat login.txt', description: 'Look' })),
    finish({ role: 'reviewer', review }),
  ]);
  const handle = await adapter.startAgent({
    role: 'reviewer',
    sessionID: randomUUID(),
    attempt: 1,
    workItemID: '8',
    revisionID: '9',
    headRef: 'feature/login',
  });
  expect(await handle.result).toEqual({ role: 'reviewer', review });
  const [request, second] = harness.model.requests('review');
  expect(request?.raw).toContain('## Revision #9 — Login form');
  expect(second?.raw).toContain('by the first run');
  expect(await harness.fixture.leftovers()).toEqual([]);
});

test('a session sends nothing but messages to the model', () => {
  expect(harness.model.strays).toEqual([]);
});

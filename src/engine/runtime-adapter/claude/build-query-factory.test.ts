import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookInput, HookJSONOutput, Options } from '@anthropic-ai/claude-agent-sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentRole } from '../../../domain/run.ts';
import type { ToolGuard } from '../guards/create-tool-guard.ts';
import { buildQueryFactory, type QueryFactoryParams } from './build-query-factory.ts';

const SESSION = '3f2b8a52-6f0e-4b0a-9a58-0d3c1f6f7a11';

let repoRoot = '';

beforeEach(async () => {
  repoRoot = await mkdtemp(join(tmpdir(), 'decree-query-'));
  await mkdir(join(repoRoot, '.claude', 'agents'), { recursive: true });
});

afterEach(async () => {
  await rm(repoRoot, { recursive: true });
});

class Captured extends Error {
  readonly options: Options;
  constructor(options: Options) {
    super('captured');
    this.options = options;
  }
}

/** The options that the SDK would get; no session is started. */
async function optionsFor(
  frontmatter: string,
  params: Partial<QueryFactoryParams> = {},
  contextPaths?: readonly string[],
): Promise<Options> {
  const role = params.role ?? 'implementor';
  await writeFile(join(repoRoot, '.claude', 'agents', `${role}.md`), `---\n${frontmatter}\n---\nWork.\n`);
  const start = buildQueryFactory({
    repoRoot,
    contextPaths,
    query: ({ options }) => {
      throw new Captured(options);
    },
  });
  const captured = start({
    prompt: 'Do it',
    role,
    agent: role,
    cwd: repoRoot,
    abortController: new AbortController(),
    guard: async () => ({ decision: 'approve' }),
    env: { PATH: '/bin' },
    sessionID: SESSION,
    ...params,
  });
  const error: unknown = await captured.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Captured) return error.options;
  throw error;
}

function promptOf(options: Options): string | undefined {
  return options.agents?.['implementor']?.prompt;
}

describe('the agent', () => {
  test('[AGM-07] without context paths its prompt is the body of its file', async () => {
    expect(promptOf(await optionsFor('model: opus', {}, []))).toBe('Work.\n');
  });

  test('[AGM-08] a context file that cannot be read stops the session from being created', async () => {
    await expect(optionsFor('model: opus', {}, ['none.md'])).rejects.toThrow(/none\.md/);
  });

  test('[AGM-09] [CLA-34] maxTurns of the file becomes a session option', async () => {
    const options = await optionsFor('maxTurns: 50');
    expect(options.maxTurns).toBe(50);
    expect(options.agents?.['implementor']).not.toHaveProperty('maxTurns');
  });

  test('[AGM-10] [CLA-35] without maxTurns there is no such option', async () => {
    expect(await optionsFor('model: opus')).not.toHaveProperty('maxTurns');
  });

  test('[AGM-11] a model override replaces the model of the file', async () => {
    expect((await optionsFor('model: opus')).agents?.['implementor']?.model).toBe('opus');
    const options = await optionsFor('model: opus', { modelOverride: 'sonnet' });
    expect(options.agents?.['implementor']?.model).toBe('sonnet');
  });

  test('it is selected by the name under which it is defined', async () => {
    const options = await optionsFor('model: opus');
    expect(Object.keys(options.agents ?? {})).toEqual([options.agent]);
  });
});

describe('its tools', () => {
  test('are those of the file and the one that takes its result', async () => {
    const options = await optionsFor('tools: Read, Bash');
    expect(options.tools).toEqual(['Read', 'Bash', 'StructuredOutput']);
    expect(options.agents?.['implementor']?.tools).toEqual(options.tools);
  });

  test('[CLA-37] do not include what the file disallows', async () => {
    const options = await optionsFor('tools: Read, Bash\ndisallowedTools: Bash');
    expect(options.tools).toEqual(['Read', 'StructuredOutput']);
    expect(options.disallowedTools).toEqual(['Bash']);
  });

  test.each<[AgentRole, boolean]>([
    ['planner', false],
    ['implementor', true],
    ['reviewer', false],
  ])('are an explicit list when the file names none: %s', async (role, canWrite) => {
    const { tools } = await optionsFor('model: opus', { role });
    expect(tools).toContain('StructuredOutput');
    expect(Array.isArray(tools) && tools.includes('Write')).toBe(canWrite);
    expect(tools).not.toContain('WebFetch');
  });
});

describe('the session', () => {
  test('reads no settings files, asks nobody and has no servers', async () => {
    expect(await optionsFor('model: opus')).toMatchObject({
      settingSources: [],
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      verbatimPrompts: true,
      mcpServers: {},
      strictMcpConfig: true,
      env: { PATH: '/bin' },
    });
  });

  test('has a draft 7 schema of what the role returns', async () => {
    const { outputFormat } = await optionsFor('model: opus');
    expect(outputFormat?.schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      required: ['role', 'outcome', 'summary'],
    });
  });

  test("has the engine's session id if that is a UUID", async () => {
    expect((await optionsFor('model: opus')).sessionId).toBe(SESSION);
    expect(await optionsFor('model: opus', { sessionID: 'run-1' })).not.toHaveProperty('sessionId');
  });

  test('has a budget only if there is one', async () => {
    expect((await optionsFor('model: opus', { budgetUSD: 2 })).maxBudgetUsd).toBe(2);
    expect(await optionsFor('model: opus')).not.toHaveProperty('maxBudgetUsd');
  });

  test('has a sandbox only if there is one', async () => {
    expect((await optionsFor('model: opus', { sandbox: { enabled: true } })).sandbox).toEqual({ enabled: true });
    expect(await optionsFor('model: opus')).not.toHaveProperty('sandbox');
  });
});

describe('the hook', () => {
  async function ask(guard: ToolGuard, tool_name: string): Promise<HookJSONOutput | undefined> {
    const { hooks } = await optionsFor('model: opus', { guard });
    const input: HookInput = {
      hook_event_name: 'PreToolUse',
      tool_name,
      tool_input: { command: 'ls' },
      tool_use_id: 't',
      session_id: 's',
      transcript_path: '',
      cwd: '',
    };
    return hooks?.PreToolUse?.[0]?.hooks[0]?.(input, 't', { signal: new AbortController().signal });
  }

  test('is one for all tools and blocks when it fails', async () => {
    const { hooks } = await optionsFor('model: opus');
    expect(Object.keys(hooks ?? {})).toEqual(['PreToolUse']);
    expect(hooks?.PreToolUse).toHaveLength(1);
    expect(hooks?.PreToolUse?.[0]).toMatchObject({ onFailure: 'block' });
    expect(hooks?.PreToolUse?.[0]).not.toHaveProperty('matcher');
  });

  test('passes on what the guard decides', async () => {
    expect(await ask(async () => ({ decision: 'block', reason: 'no' }), 'Bash')).toEqual({
      decision: 'block',
      reason: 'no',
    });
    expect(await ask(async () => ({ decision: 'approve' }), 'Read')).toEqual({ decision: 'approve' });
  });

  test('does not ask the guard about the result', async () => {
    expect(await ask(async () => ({ decision: 'block', reason: 'no' }), 'StructuredOutput')).toEqual({
      decision: 'approve',
    });
  });

  test('fails when the guard fails', async () => {
    const guard = async (): Promise<never> => {
      throw new Error('broken');
    };
    await expect(ask(guard, 'Bash')).rejects.toThrow('broken');
  });
});

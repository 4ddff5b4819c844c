import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentDefinitionError, loadAgentDefinition, type LoadedAgentDefinition } from './load-agent-definition.ts';

let repoRoot = '';

beforeEach(async () => {
  repoRoot = await mkdtemp(join(tmpdir(), 'decree-definition-'));
});

afterEach(async () => {
  await rm(repoRoot, { recursive: true });
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(repoRoot, path)), { recursive: true });
  await writeFile(join(repoRoot, path), text);
}

async function load(frontmatter: string, contextPaths?: readonly string[]): Promise<LoadedAgentDefinition> {
  await write('.claude/agents/planner.md', `---\n${frontmatter}\n---\nPlan well.\n`);
  return loadAgentDefinition({ repoRoot, name: 'planner', contextPaths });
}

describe('the frontmatter', () => {
  test('[CLA-36] tools as a comma-separated string become a trimmed list', async () => {
    const { definition } = await load('description: Plans\ntools: Read,  Grep , Bash,');
    expect(definition.tools).toEqual(['Read', 'Grep', 'Bash']);
    expect(definition.description).toBe('Plans');
  });

  test('tools as a YAML list are taken as they are', async () => {
    expect((await load('tools: [Read, Glob]')).definition.tools).toEqual(['Read', 'Glob']);
  });

  test('[CLA-37] disallowedTools are parsed the same way', async () => {
    expect((await load('disallowedTools: Write, Edit')).definition.disallowedTools).toEqual(['Write', 'Edit']);
  });

  test('[CLA-38] the model is inherited unless the file names one', async () => {
    expect((await load('description: x')).definition.model).toBe('inherit');
    expect((await load('model: opus')).definition.model).toBe('opus');
  });

  test('[CLA-34] maxTurns is an integer, also when it is quoted, and no part of the definition', async () => {
    expect((await load('maxTurns: "50"')).maxTurns).toBe(50);
    const loaded = await load('maxTurns: 7');
    expect(loaded.maxTurns).toBe(7);
    expect(loaded.definition).not.toHaveProperty('maxTurns');
  });

  test('[CLA-35] without maxTurns there is no such key', async () => {
    expect(await load('model: opus')).not.toHaveProperty('maxTurns');
  });

  test.each(['maxTurns: many', 'maxTurns: 0', 'maxTurns: 1.5', 'tools: 3', 'model: [a]', '- a\n- b', 'just words'])(
    'a frontmatter that makes no sense is refused: %s',
    async (frontmatter) => {
      await expect(load(frontmatter)).rejects.toThrow(AgentDefinitionError);
    },
  );

  test('fields that the adapter decides itself have no effect', async () => {
    const { definition } = await load('permissionMode: plan\nhooks: {}\nname: x');
    expect(Object.keys(definition).sort()).toEqual(['description', 'model', 'prompt']);
  });

  test('[CLA-07] malformed YAML is refused, the second time too', async () => {
    const malformed = 'tools: [Read\nmodel: "opus';
    await expect(load(malformed)).rejects.toThrow(/malformed frontmatter/);
    await expect(load(malformed)).rejects.toThrow(/malformed frontmatter/);
  });

  test.each(['js', 'javascript', 'JavaScript', 'json', 'coffee'])(
    'frontmatter in %s is refused and never run',
    async (language) => {
      const ran = join(repoRoot, 'ran');
      const code = `{ tools: process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(ran)}, '') }`;
      await write('.claude/agents/planner.md', `---${language}\n${code}\n---\nPlan.\n`);
      await expect(loadAgentDefinition({ repoRoot, name: 'planner' })).rejects.toThrow(AgentDefinitionError);
      expect(existsSync(ran)).toBe(false);
    },
  );

  test('a byte order mark and Windows line ends do not hide it', async () => {
    await write('.claude/agents/planner.md', '\uFEFF---\r\nmodel: opus\r\n---\r\nPlan.\r\n');
    const { definition } = await loadAgentDefinition({ repoRoot, name: 'planner', contextPaths: [] });
    expect(definition).toMatchObject({ model: 'opus', prompt: 'Plan.\r\n' });
  });
});

describe('the file', () => {
  test('[CLA-06] a missing definition is refused with the way out', async () => {
    await expect(loadAgentDefinition({ repoRoot, name: 'planner' })).rejects.toThrow(/planner\.md.*decree init/);
  });

  test('a definition without instructions is refused', async () => {
    await write('.claude/agents/planner.md', '---\nmodel: opus\n---\n\n');
    await expect(loadAgentDefinition({ repoRoot, name: 'planner' })).rejects.toThrow(/no text/);
  });

  test.each(['../planner', 'a/b', '', '.', '..\\x'])('an agent name cannot lead elsewhere: %j', async (name) => {
    await expect(loadAgentDefinition({ repoRoot, name })).rejects.toThrow(/not a file name/);
  });
});

describe('the project context', () => {
  test('[CLA-09] context files are appended to the prompt, separated by empty lines', async () => {
    await write('docs/a.md', 'First.');
    await write('docs/b.md', 'Second.');
    const { definition } = await load('model: opus', ['docs/a.md', 'docs/b.md']);
    expect(definition.prompt).toBe('Plan well.\n\n\nFirst.\n\nSecond.');
  });

  test('[CLA-10] with no context paths the prompt is exactly the body of the file', async () => {
    await write('.claude/CLAUDE.md', 'House rules.');
    expect((await load('model: opus', [])).definition.prompt).toBe('Plan well.\n');
  });

  test('[CLA-11] a configured file that cannot be read is refused', async () => {
    await expect(load('model: opus', ['docs/none.md'])).rejects.toThrow(/docs\/none\.md/);
    await mkdir(join(repoRoot, 'docs/folder'), { recursive: true });
    await expect(load('model: opus', ['docs/folder'])).rejects.toThrow(AgentDefinitionError);
  });

  test('by default it is the CLAUDE.md of the project, if there is one', async () => {
    expect((await load('model: opus')).definition.prompt).toBe('Plan well.\n');
    await write('.claude/CLAUDE.md', 'House rules.');
    expect((await load('model: opus')).definition.prompt).toBe('Plan well.\n\n\nHouse rules.');
  });

  test('files are read afresh each time', async () => {
    await write('c.md', 'One.');
    await load('model: opus', ['c.md']);
    await write('c.md', 'Two.');
    expect((await load('model: opus', ['c.md'])).definition.prompt).toContain('Two.');
  });
});

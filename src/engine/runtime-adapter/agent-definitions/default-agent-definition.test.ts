import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AGENT_ROLES } from '../../../domain/run.ts';
import { loadAgentDefinition } from '../load-agent-definition.ts';
import { outputSchemaFor } from '../schemas.ts';
import { defaultAgentDefinition } from './default-agent-definition.ts';

let repoRoot = '';

beforeEach(async () => {
  repoRoot = await mkdtemp(join(tmpdir(), 'decree-defaults-'));
  await mkdir(join(repoRoot, '.claude', 'agents'), { recursive: true });
});

afterEach(async () => {
  await rm(repoRoot, { recursive: true });
});

test.each(AGENT_ROLES)('the default %s can be loaded and names every field that it has to return', async (role) => {
  await writeFile(join(repoRoot, '.claude', 'agents', `${role}.md`), await defaultAgentDefinition(role));
  const { definition, maxTurns } = await loadAgentDefinition({ repoRoot, name: role });
  expect(definition.tools).toContain('Read');
  expect(maxTurns).toBeGreaterThan(10);
  for (const field of Object.keys(outputSchemaFor(role).shape)) expect(definition.prompt).toContain(field);
});

test('only the default implementor has tools that write files', async () => {
  for (const role of AGENT_ROLES) {
    const writes = /^tools:.*\b(Write|Edit)\b/m.test(await defaultAgentDefinition(role));
    expect(writes).toBe(role === 'implementor');
  }
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_ROLES } from '../../domain/run.ts';
import { defaultAgentDefinition } from '../../engine/runtime-adapter/agent-definitions/default-agent-definition.ts';
import type { InitAnswers } from './config-text.ts';
import { configText } from './config-text.ts';
import { EXAMPLE_SPEC } from './example-spec.ts';

export interface NewFile {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly text: string;
  /** What it is for, in a few words. */
  readonly purpose: string;
}

/** All that `decree init` writes, but for the lines of .gitignore. */
export async function newFiles(answers: InitAnswers): Promise<NewFile[]> {
  const agents = AGENT_ROLES.map(async (role) => ({
    path: `.claude/agents/${role}.md`,
    text: await defaultAgentDefinition(role),
    purpose: `what the ${role} is told; yours to change`,
  }));
  return [
    { path: 'decree.config.ts', text: configText(answers), purpose: 'the settings' },
    ...(await Promise.all(agents)),
    { path: 'docs/specs/example.md', text: EXAMPLE_SPEC, purpose: 'a spec to start from' },
  ];
}

export type WriteOutcome = 'written' | 'unchanged' | 'kept';

/** Writes a file; one that is there and different stays unless `mayOverwrite` agrees. */
export async function writeNewFile(
  repoRoot: string,
  file: NewFile,
  mayOverwrite: (path: string) => Promise<boolean>,
): Promise<WriteOutcome> {
  const target = path.join(repoRoot, file.path);
  const present = await readIfThere(target);
  if (present === file.text) return 'unchanged';
  if (present !== null && !(await mayOverwrite(file.path))) return 'kept';
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, file.text);
  return 'written';
}

const IGNORED = ['.decree/', '.worktrees/'];

/** Adds what is missing to .gitignore. Returns the lines that were added. */
export async function ignoreOwnFolders(repoRoot: string): Promise<string[]> {
  const target = path.join(repoRoot, '.gitignore');
  const present = (await readIfThere(target)) ?? '';
  const lines = new Set(present.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, '')));
  const missing = IGNORED.filter((line) => !lines.has(line.replace(/\/$/, '')));
  if (missing.length === 0) return [];
  const separator = present === '' || present.endsWith('\n') ? '' : '\n';
  await writeFile(target, `${present}${separator}${missing.join('\n')}\n`);
  return missing;
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

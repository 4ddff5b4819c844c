import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AgentDefinition } from '@anthropic-ai/claude-agent-sdk';
import matter from 'gray-matter';
import { z } from 'zod';

export interface LoadedAgentDefinition {
  readonly definition: AgentDefinition;
  /** A session option: inside the definition the SDK ignores it for the main agent. */
  readonly maxTurns?: number;
}

export interface AgentDefinitionSource {
  readonly repoRoot: string;
  /** The agent's name: its file is `.claude/agents/<name>.md`. */
  readonly name: string;
  /** Appended to the prompt; relative to `repoRoot`. Undefined means the project's CLAUDE.md, if there is one. */
  readonly contextPaths?: readonly string[] | undefined;
}

/** Why an agent could not be set up from the files of the repository. */
export class AgentDefinitionError extends Error {
  override readonly name = 'AgentDefinitionError';
}

const DEFAULT_CONTEXT_PATH = '.claude/CLAUDE.md';

const toolList = z
  .union([z.string().transform((names) => names.split(',')), z.array(z.string())])
  .transform((names) => names.map((name) => name.trim()).filter((name) => name !== ''));

/** Other fields (name, hooks, permissionMode ...) are allowed and without effect: the adapter decides those. */
const Frontmatter = z.looseObject({
  description: z.string().optional(),
  tools: toolList.optional(),
  disallowedTools: toolList.optional(),
  model: z.string().trim().min(1).default('inherit'),
  maxTurns: z.coerce.number().int().positive().optional(),
});

/** Reads an agent's definition and the project context afresh. Rejects with AgentDefinitionError. */
export async function loadAgentDefinition(source: AgentDefinitionSource): Promise<LoadedAgentDefinition> {
  const { repoRoot, name } = source;
  if (!/^[\w-][\w.-]*$/.test(name)) {
    throw new AgentDefinitionError(
      `The agent name ${JSON.stringify(name)} is not a file name. Use letters, digits, "-", "_" and "." only.`,
    );
  }
  const path = join(repoRoot, '.claude', 'agents', `${name}.md`);
  const [text, context] = await Promise.all([
    readDefinition(path),
    readContext(repoRoot, source.contextPaths ?? [DEFAULT_CONTEXT_PATH], source.contextPaths === undefined),
  ]);
  const { data, content } = parseFrontmatter(path, text);
  if (content.trim() === '') {
    throw new AgentDefinitionError(
      `The agent definition ${path} has no text after its frontmatter: write the agent's instructions there.`,
    );
  }
  const { description, tools, disallowedTools, model, maxTurns } = data;
  return {
    definition: {
      description: description ?? name,
      ...(tools && { tools }),
      ...(disallowedTools && { disallowedTools }),
      model,
      prompt: [content, ...context].join('\n\n'),
    },
    ...(maxTurns !== undefined && { maxTurns }),
  };
}

async function readDefinition(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AgentDefinitionError(
      `The agent definition ${path} could not be read. \`decree init\` writes one for each role.`,
      { cause },
    );
  }
}

async function readContext(repoRoot: string, paths: readonly string[], mayBeMissing: boolean): Promise<string[]> {
  const texts = paths.map(async (path) => {
    try {
      return [await readFile(resolve(repoRoot, path), 'utf8')];
    } catch (cause) {
      if (mayBeMissing && isMissing(cause)) return [];
      throw new AgentDefinitionError(
        `The context file ${path} could not be read from ${repoRoot}. Restore it or take it out of \`contextPaths\`.`,
        { cause },
      );
    }
  });
  return (await Promise.all(texts)).flat();
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function parseFrontmatter(path: string, text: string): { data: z.infer<typeof Frontmatter>; content: string } {
  try {
    // Options on every call: without them gray-matter caches by content and accepts malformed text the second time.
    const { data, content } = matter(text, { language: 'yaml', engines: YAML_ONLY });
    return { data: Frontmatter.parse(data), content };
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new AgentDefinitionError(`The agent definition ${path} has a malformed frontmatter: ${reason}`, { cause });
  }
}

/** gray-matter would evaluate `---js` frontmatter, so every language but YAML is replaced by a refusal. */
const YAML_ONLY = Object.fromEntries(
  ['javascript', 'js', 'json', 'coffee', 'cson', 'toml'].map((language) => [language, refuse(language)]),
);

function refuse(language: string): () => object {
  return () => {
    throw new Error(`frontmatter in ${language} is not supported, only YAML`);
  };
}

import { access } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { parseConfig } from './parse-config.ts';
import type { Config } from './schema.ts';

/** Names of configuration files, the preferred one first. */
export const CONFIG_FILES = [
  'decree.config.ts',
  'decree.config.js',
  'decree.config.mjs',
  'agentic-workflow.config.ts',
] as const;

export interface LoadedConfig {
  readonly config: Config;
  /** Absolute. */
  readonly file: string;
}

/** Finds, runs and checks the configuration of a repository. Rejects with ConfigError. */
export async function loadConfig(repoRoot: string): Promise<LoadedConfig> {
  const file = await findConfigFile(repoRoot);
  if (file === null) {
    throw new ConfigError(`There is no ${CONFIG_FILES[0]} in ${repoRoot}. Run \`decree init\` to write one.`);
  }
  const name = path.basename(file);
  const { default: written } = moduleShape.parse(await importFile(file, name));
  if (written === undefined) {
    throw new ConfigError(`${name} has no default export. Write \`export default { forge: ..., ... }\`.`);
  }
  return { config: parseConfig(written, name), file };
}

/** The absolute path of the configuration file, or null if there is none. */
export async function findConfigFile(repoRoot: string): Promise<string | null> {
  for (const name of CONFIG_FILES) {
    const file = path.join(repoRoot, name);
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

const moduleShape = z.object({ default: z.unknown().optional() });

async function importFile(file: string, name: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    return module;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const firstLine = reason.trim().split('\n')[0] ?? '';
    throw new ConfigError(`${name} could not be loaded: ${firstLine}. Correct it, or see \`decree init\`.`, { cause });
  }
}

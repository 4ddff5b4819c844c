import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import type { Config, ConfigInput } from './schema.ts';
import { configSchema } from './schema.ts';

/** Fills in the defaults. `where` is named in the error. Idempotent. */
export function parseConfig(input: unknown, where = 'The configuration'): Config {
  const result = configSchema.safeParse(withForge(input));
  if (result.success) return result.data;
  throw new ConfigError(`${where} is wrong:\n${z.prettifyError(result.error)}`);
}

/** For a typed configuration file in a program that has decree installed. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

/** GitHub is meant where no forge is named. */
function withForge(input: unknown): unknown {
  return typeof input === 'object' && input !== null && !('forge' in input) ? { ...input, forge: 'github' } : input;
}

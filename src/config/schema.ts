import { z } from 'zod';
import { COMPLEXITIES } from '../domain/work-item.ts';

const seconds = z.number().positive();
const setting = z.string().min(1);

const github = {
  repository: z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'expected owner/repo'),
  githubAppID: z.number().int().positive(),
  githubAppPrivateKeyPath: setting,
  githubAppInstallationID: z.number().int().positive(),
  /** The API of GitHub Enterprise. */
  githubBaseURL: z.url().optional(),
};

const common = {
  shutdownTimeout: seconds.default(300),
  issuePoller: z.strictObject({ pollInterval: seconds.default(30) }).prefault({}),
  specPoller: z
    .strictObject({
      pollInterval: seconds.default(60),
      specsDir: setting.default('docs/specs/'),
      defaultBranch: setting.default('main'),
    })
    .prefault({}),
  prPoller: z.strictObject({ pollInterval: seconds.default(30) }).prefault({}),
  agents: z
    .strictObject({
      dispatch: z.enum(['manual', 'auto']).default('manual'),
      maxConcurrent: z.number().int().positive().default(3),
      maxAttempts: z.number().int().positive().default(3),
      retryBackoff: z.strictObject({ first: seconds.default(30), longest: seconds.default(900) }).prefault({}),
      modelByComplexity: z
        .partialRecord(z.enum(COMPLEXITIES), setting)
        .default({ trivial: 'sonnet', low: 'sonnet', simple: 'sonnet', high: 'opus', complex: 'opus' }),
    })
    .prefault({}),
  review: z.strictObject({ maxRounds: z.number().int().nonnegative().default(2) }).prefault({}),
};

/** Every setting, its default and its limits. `docs/configuration.md` says the same in words. */
export const configSchema = z.discriminatedUnion('forge', [
  z.strictObject({ forge: z.literal('github').default('github'), ...github, ...common }),
  z.strictObject({ forge: z.literal('embedded'), ...common }),
]);

/** A configuration as a person writes it. */
export type ConfigInput = z.input<typeof configSchema>;

/** A configuration with every default filled in. */
export type Config = z.output<typeof configSchema>;

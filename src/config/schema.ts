import { z } from 'zod';
import { COMPLEXITIES } from '../domain/work-item.ts';

const seconds = z.number().positive();
const setting = z.string().min(1);
const rounds = z.number().int().nonnegative();
const usd = z.number().positive();

const github = {
  repository: z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'expected owner/repo'),
  githubAppID: z.number().int().positive(),
  githubAppPrivateKeyPath: setting,
  githubAppInstallationID: z.number().int().positive(),
  /** The API of GitHub Enterprise. */
  githubBaseURL: z.url().optional(),
};

const common = {
  logLevel: z.enum(['debug', 'info', 'error']).default('info'),
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
      agentPlanner: setting.default('planner'),
      agentImplementor: setting.default('implementor'),
      agentReviewer: setting.default('reviewer'),
      maxAgentDuration: seconds.default(1800),
      dispatch: z.enum(['manual', 'auto']).default('manual'),
      maxConcurrent: z.number().int().positive().default(3),
      maxAttempts: z.number().int().positive().default(3),
      retryBackoff: z.strictObject({ first: seconds.default(30), longest: seconds.default(900) }).prefault({}),
      modelByComplexity: z
        .partialRecord(z.enum(COMPLEXITIES), setting)
        .default({ trivial: 'sonnet', low: 'sonnet', simple: 'sonnet', high: 'opus', complex: 'opus' }),
      /** Run in each new worktree; found by the lockfile if it is not set; `false`: nothing. */
      setupCommand: z.union([setting, z.literal(false)]).optional(),
      keepBranches: z.boolean().default(false),
      reviewerWorkspace: z.enum(['revision', 'root']).default('revision'),
      /** Relative to the repository's root. Not set: `.claude/CLAUDE.md` if it exists. */
      contextPaths: z.array(setting).optional(),
      bash: z.strictObject({ allow: z.array(setting).default([]) }).prefault({}),
      sandbox: z.enum(['auto', 'required', 'off']).default('auto'),
      protectedPaths: z.array(setting).default([]),
    })
    .prefault({}),
  logging: z.strictObject({ agentSessions: z.boolean().default(false), logsDir: setting.default('logs') }).prefault({}),
  budget: z
    .strictObject({ perRunUSD: usd.default(5), perDayUSD: usd.default(50) })
    .refine(
      ({ perRunUSD, perDayUSD }) => perRunUSD <= perDayUSD,
      'perRunUSD is more than perDayUSD: nothing could ever run',
    )
    .prefault({}),
  review: z
    .strictObject({ trigger: z.enum(['completion', 'ci-success']).default('completion'), maxRounds: rounds.default(2) })
    .prefault({}),
  ci: z
    .strictObject({ autoFix: z.boolean().default(false), maxRounds: rounds.default(2), command: setting.optional() })
    .prefault({}),
};

/** Every setting, its default and its limits. `docs/configuration.md` says the same in words. */
export const configSchema = z.discriminatedUnion('forge', [
  z.strictObject({ forge: z.literal('github'), ...github, ...common }),
  z.strictObject({ forge: z.literal('embedded'), ...common }),
]);

type Written = z.input<typeof configSchema>;

/** A configuration as a person writes it. Without `forge`, GitHub is meant. */
export type ConfigInput = Written | Omit<Extract<Written, { forge: 'github' }>, 'forge'>;

/** A configuration with every default filled in. */
export type Config = z.output<typeof configSchema>;

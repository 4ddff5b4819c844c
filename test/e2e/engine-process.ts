/**
 * An engine in a process of its own, for tests that kill it. Started as `node engine-process.ts <JSON>`; prints one
 * line of JSON per public event. With `killAt` it ends itself by SIGKILL around the first journal call that matches.
 */
import path from 'node:path';
import { z } from 'zod';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import type { Journal } from '../../src/engine/journal-port.ts';
import { createScriptedAdapter } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import { ScenarioSchema } from '../../src/engine/runtime-adapter/scripted/scenario.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';

export const EngineProcessOptions = z.strictObject({
  repoRoot: z.string(),
  forge: z.object({
    url: z.string(),
    gitURL: z.string(),
    owner: z.string(),
    repo: z.string(),
    appID: z.number(),
    installationID: z.number(),
    privateKey: z.string(),
  }),
  scenario: ScenarioSchema,
  /** `call` is a regular expression on "<method> <arguments as JSON>". */
  killAt: z.strictObject({ call: z.string(), when: z.enum(['before', 'after']) }).optional(),
});
export type EngineProcessOptions = z.infer<typeof EngineProcessOptions>;

function killing(journal: Journal, killAt: EngineProcessOptions['killAt']): Journal {
  if (killAt === undefined) return journal;
  const pattern = new RegExp(killAt.call);
  const die = () => process.kill(process.pid, 'SIGKILL');
  function guard<A extends unknown[], R>(name: string, method: (...args: A) => Promise<R>) {
    return async (...args: A): Promise<R> => {
      const isMatch = pattern.test(`${name} ${JSON.stringify(args)}`);
      if (isMatch && killAt?.when === 'before') die();
      const result = await method(...args);
      if (isMatch && killAt?.when === 'after') die();
      return result;
    };
  }
  return {
    ...journal,
    append: guard('append', journal.append),
    beginStep: guard('beginStep', journal.beginStep),
    endStep: guard('endStep', journal.endStep),
    saveResult: guard('saveResult', journal.saveResult),
  };
}

if (process.argv[1] === import.meta.filename) {
  const { repoRoot, forge, scenario, killAt } = EngineProcessOptions.parse(JSON.parse(process.argv[2] ?? ''));
  const { url: baseURL, ...app } = forge;
  const pollInterval = 0.2;
  const config = parseConfig({
    forge: 'embedded',
    shutdownTimeout: 1,
    issuePoller: { pollInterval },
    specPoller: { pollInterval },
    prPoller: { pollInterval },
    agents: { dispatch: 'auto', retryBackoff: { first: 0.2, longest: 1 } },
  });
  const { specsDir, defaultBranch } = config.specPoller;
  const silent = () => {};
  const logger = { debug: silent, info: silent, warn: silent, error: (fields: object) => console.error(fields) };
  const engine = createEngine({
    config,
    repoRoot,
    logger,
    listLagMs: 0,
    journal: killing(createSqliteJournal(path.join(repoRoot, '.decree', 'journal.db')), killAt),
    provider: createGitHubProvider({ ...app, baseURL, specsDir, defaultBranch }),
    runtime: (deps) =>
      createScriptedAdapter(
        {
          maxAgentDuration: 60,
          logging: { agentSessions: false, logsDir: path.join(repoRoot, 'logs') },
          repoRoot,
          defaultBranch,
          setupCommand: false,
          script: scenario,
        },
        deps,
      ),
  });
  engine.on((event) => console.log(JSON.stringify(event)));
  process.on('SIGTERM', () => void engine.stop().then(() => process.exit(0)));
  await engine.start();
}

/**
 * An engine in a process of its own, for tests that kill it. Started as `node engine-process.ts <JSON>`. Prints one line
 * of JSON per public event, and one per call of its journal: `{"journal": "endStep create revision"}`. With `killAt` it
 * ends itself by SIGKILL around one of those calls.
 */
import path from 'node:path';
import { z } from 'zod';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine-types.ts';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import type { Journal } from '../../src/engine/journal-port.ts';
import { ScenarioSchema } from '../../src/engine/runtime-adapter/scripted/scenario.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';
import { ForgeAccessSchema, providerOptions } from '../world/forge-access.ts';
import { scriptedRuntime } from '../world/scripted-runtime.ts';

const EngineProcessOptionsSchema = z.strictObject({
  repoRoot: z.string(),
  forge: ForgeAccessSchema,
  scenario: ScenarioSchema,
  /** A call of the journal by its name, the nth of that name counted from 1. */
  killAt: z
    .strictObject({ call: z.string(), nth: z.number().default(1), when: z.enum(['before', 'after']) })
    .optional(),
  /** Also plays the human who merges whatever is approved, through the engine. */
  mergesApproved: z.boolean().default(false),
  maxConcurrent: z.number().optional(),
  /** Issues that a person dispatches, all at once, as soon as it runs. With any, nothing is dispatched automatically. */
  dispatches: z.array(z.number()).default([]),
});
export type EngineProcessOptions = z.input<typeof EngineProcessOptionsSchema>;

type KillAt = z.output<typeof EngineProcessOptionsSchema>['killAt'];

function instrumented(journal: Journal, killAt: KillAt): Journal {
  const counts = new Map<string, number>();
  async function call<T>(name: string, run: () => Promise<T>): Promise<T> {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    console.log(JSON.stringify({ journal: name }));
    const isHere = killAt?.call === name && killAt.nth === nth;
    if (isHere && killAt.when === 'before') process.kill(process.pid, 'SIGKILL');
    const result = await run();
    if (isHere) process.kill(process.pid, 'SIGKILL');
    return result;
  }
  return {
    ...journal,
    append: (entry) => call(`append ${entry.event.body.type}`, () => journal.append(entry)),
    appendAll: (entries) =>
      call(`append all ${[...new Set(entries.map(({ event }) => event.body.type))].join()}`, () =>
        journal.appendAll(entries),
      ),
    beginStep: (key, step) => call(`beginStep ${step}`, () => journal.beginStep(key, step)),
    endStep: (key, step, outcome) => call(`endStep ${step}`, () => journal.endStep(key, step, outcome)),
    dropStep: (key, step) => call(`dropStep ${step}`, () => journal.dropStep(key, step)),
    saveResult: (id, stored) => call(`saveResult ${stored.result.role}`, () => journal.saveResult(id, stored)),
  };
}

function mergeWhatIsApproved(engine: Engine): void {
  const asked = new Set<string>();
  engine.subscribe(() => {
    const { workItems, revisions } = engine.getSnapshot();
    for (const { id, status, linkedRevision } of workItems) {
      const revision = revisions.find((each) => each.id === linkedRevision);
      if (status !== 'approved' || revision === undefined || asked.has(revision.headSHA)) continue;
      asked.add(revision.headSHA);
      engine.send({ command: 'mergeRevision', issueNumber: Number(id) });
    }
  });
}

if (process.argv[1] === import.meta.filename) {
  const options = EngineProcessOptionsSchema.parse(JSON.parse(process.argv[2] ?? ''));
  const { repoRoot, scenario } = options;
  const pollInterval = 0.2;
  const config = parseConfig({
    forge: 'embedded',
    shutdownTimeout: 1,
    issuePoller: { pollInterval },
    specPoller: { pollInterval },
    prPoller: { pollInterval },
    agents: {
      dispatch: options.dispatches.length === 0 ? 'auto' : 'manual',
      retryBackoff: { first: 0.2, longest: 1 },
      ...(options.maxConcurrent === undefined ? {} : { maxConcurrent: options.maxConcurrent }),
    },
    budget: { perRunUSD: 1, perDayUSD: 1_000 },
  });
  const silent = () => {};
  const logger = { debug: silent, info: silent, warn: silent, error: (fields: object) => console.error(fields) };
  const engine = createEngine({
    config,
    repoRoot,
    logger,
    listLagMs: 0,
    journal: instrumented(createSqliteJournal(path.join(repoRoot, '.decree', 'journal.db')), options.killAt),
    provider: createGitHubProvider(providerOptions(options.forge)),
    runtime: scriptedRuntime(repoRoot, scenario),
  });
  engine.on((event) => console.log(JSON.stringify(event)));
  if (options.mergesApproved) mergeWhatIsApproved(engine);
  process.on('SIGTERM', () => void engine.stop().then(() => process.exit(0)));
  await engine.start();
  for (const issueNumber of options.dispatches) engine.send({ command: 'dispatchImplementor', issueNumber });
}

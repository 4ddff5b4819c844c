import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import type { PlannerResult } from '../../domain/agent-result.ts';
import { checkPlan } from '../../domain/plan.ts';
import type { PlannerStartParams } from '../../engine/ports.ts';
import type { RuntimeState } from '../../engine/runtime-adapter/types.ts';
import { systemClock } from '../../engine/system-clock.ts';
import { createJournalReader } from '../../journal/create-journal-reader.ts';
import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { connect } from '../control/ask-engine.ts';
import { createLogger } from '../create-logger.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findProject, placesIn } from '../project/find-project.ts';
import type { Project } from '../project/open-project.ts';
import { openProject } from '../project/open-project.ts';
import { formatPlan } from '../terminal/format-plan.ts';
import { plainText } from '../terminal/plain-text.ts';

/** Has a planner plan what is due, shows its plan, and writes nothing: neither to the forge nor to the journal. */
export async function planDryRun(context: Context): Promise<ExitCode> {
  const place = await findProject(context.cwd);
  const { socket, log } = placesIn(place.repoRoot);
  await refuseBesideEngine(socket);
  const logger = createLogger(place.config.logLevel, context.isDebugging ? 'stderr' : { file: log });
  const project = await openProject(place, { logger, environment: context.environment });
  try {
    return await plan(context, project, logger);
  } finally {
    await project.close();
  }
}

async function plan(
  { terminal }: Context,
  project: Project,
  logger: ReturnType<typeof createLogger>,
): Promise<ExitCode> {
  const { workItemReader, revisionReader, specReader } = project.provider;
  const planned = await plannedBefore(project.repoRoot);
  const reading = Promise.all([
    specReader.readSpecTree(),
    workItemReader.listWorkItems(),
    revisionReader.listRevisions(),
  ]);
  const [tree, items, revisions] = await terminal.progress('Reading the forge', reading);
  const due = tree.specs.filter(
    (spec) => spec.frontmatterStatus === 'approved' && planned.get(spec.filePath) !== spec.blobSHA,
  );
  if (due.length === 0) {
    terminal.print('Nothing is due: every approved spec is planned already.');
    return EXIT.ok;
  }
  const state: RuntimeState = {
    workItems: new Map(items.map((item) => [item.id, item])),
    revisions: new Map(revisions.map((revision) => [revision.id, revision])),
    lastPlannedSHAs: planned,
  };
  const runtime = project.createRuntime({
    workItemReader,
    revisionReader,
    specReader,
    gitAccess: () => project.provider.gitAccess(),
    getState: () => state,
    getReviewHistory: (id) => revisionReader.getReviewHistory(id),
    clock: systemClock,
    logger,
  });
  const params: PlannerStartParams = {
    role: 'planner',
    sessionID: randomUUID(),
    attempt: 1,
    budgetUSD: project.config.budget.perRunUSD,
    specPaths: due.map((spec) => spec.filePath),
    commitSHA: tree.commitSHA,
    blobSHAs: Object.fromEntries(due.map((spec) => [spec.filePath, spec.blobSHA])),
  };
  terminal.note(`Planning ${params.specPaths.join(', ')} ...`);
  const stop = () => runtime.cancelAgent(params.sessionID);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const handle = await terminal.progress('Starting the planner', runtime.startAgent(params));
    for await (const text of handle.output) terminal.note(plainText(text).trimEnd());
    const result = await handle.result;
    if (result.role !== 'planner') throw new Error(`The planner returned the result of a ${result.role}.`);
    return show(result, params, state, terminal.print);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function show(
  result: PlannerResult,
  params: PlannerStartParams,
  { workItems }: RuntimeState,
  print: (text: string) => void,
): ExitCode {
  print(formatPlan(result));
  const check = checkPlan(params.sessionID, params.blobSHAs, result, (id) => workItems.get(id) !== undefined);
  print(check.ok ? 'Nothing was written.' : `${check.error} Nothing was written.`);
  return check.ok ? EXIT.ok : EXIT.failed;
}

async function plannedBefore(repoRoot: string): Promise<ReadonlyMap<string, string>> {
  const { journal: file } = placesIn(repoRoot);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return new Map();
  const journal = createJournalReader(file);
  try {
    return journal.planned();
  } finally {
    journal.close();
  }
}

async function refuseBesideEngine(socketFile: string): Promise<void> {
  const socket = await connect(socketFile);
  if (socket === null) return;
  socket.destroy();
  throw new CLIError('An engine runs in this repository, and it plans by itself.', 'Stop it first to try a plan.');
}

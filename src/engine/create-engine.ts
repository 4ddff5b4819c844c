import { randomUUID } from 'node:crypto';
import type { Config } from '../config/schema.ts';
import type { Event, EventBody } from '../domain/event.ts';
import { createAgentManager } from './agent-manager/create-agent-manager.ts';
import type { Policy } from './command-executor/admit-commands.ts';
import { createCommandExecutor } from './command-executor/create-command-executor.ts';
import type { Engine, EngineCommand, EngineEvent } from './engine-types.ts';
import { createEventLoop } from './event-loop/create-event-loop.ts';
import { createRetryTimer } from './event-loop/create-retry-timer.ts';
import type { Journal } from './journal-port.ts';
import { createListeners } from './listeners.ts';
import { createPoller } from './pollers/create-poller.ts';
import { pollRevisions } from './pollers/poll-revisions.ts';
import { pollSpecs } from './pollers/poll-specs.ts';
import { pollWorkItems } from './pollers/poll-work-items.ts';
import type { Clock, Logger, Provider, RuntimeAdapter } from './ports.ts';
import { projectEvent } from './project-event.ts';
import type { EngineQueries } from './query-port.ts';
import { resumeWork } from './resume-work.ts';
import type { RuntimeAdapterDeps } from './runtime-adapter/types.ts';
import { settingsFrom } from './settings-from-config.ts';
import { emptyState } from './state-store/engine-state.ts';
import type { EngineState } from './state-store/engine-state.ts';
import { restoreState } from './state-store/restore-state.ts';
import { systemClock } from './system-clock.ts';

export interface EngineOptions {
  readonly config: Config;
  readonly provider: Provider & { readonly queries: EngineQueries };
  readonly runtime: (deps: RuntimeAdapterDeps) => RuntimeAdapter;
  readonly journal: Journal;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly policy?: Policy;
  /** How long the forge's lists may lag behind a write. GitHub: a minute. */
  readonly listLagMs?: number;
}

const GITHUB_LIST_LAG_MS = 60_000;

/** Wires the parts. Nothing happens before `start`. */
export function createEngine(options: EngineOptions): Engine {
  const { config, provider, journal, logger, clock = systemClock, policy = () => null } = options;
  const settings = settingsFrom(config);
  const events = createListeners<EngineEvent>(logger);
  const changes = createListeners<void>(logger);
  let loop: ReturnType<typeof createEventLoop> | null = null;
  let stopping: Promise<void> | null = null;

  const state = (): EngineState => loop?.state() ?? emptyState();
  const enqueue = async (body: EventBody, readSeq?: number): Promise<void> => loop?.enqueue(body, readSeq);

  const { queries, workItemReader, revisionReader, specReader } = provider;
  const runtime = options.runtime({
    workItemReader,
    revisionReader,
    specReader,
    gitAccess: () => provider.gitAccess(),
    getState: state,
    getReviewHistory: (revisionID) => revisionReader.getReviewHistory(revisionID),
    clock,
    logger,
  });
  const agents = createAgentManager({ runtime, journal, logger, report: enqueue });
  const executor = createCommandExecutor({
    provider,
    journal,
    clock,
    logger,
    state,
    listLagMs: options.listLagMs ?? GITHUB_LIST_LAG_MS,
    report: enqueue,
    startAgent: agents.start,
    cancelAgent: agents.cancel,
  });
  const retries = createRetryTimer(clock, (effort) => void enqueue({ type: 'retryDue', effort }));

  // Until interrupted commands go on, none of our own writes is under way: what is read is as fresh as can be.
  let isResumed = false;
  const observe = (body: EventBody, readSeq?: number) => enqueue(body, isResumed ? readSeq : undefined);
  const target = { state, enqueue: observe };
  const pollers = [
    poller('specs', config.specPoller.pollInterval, () => pollSpecs(specReader, target)),
    poller('revisions', config.prPoller.pollInterval, () => pollRevisions(revisionReader, target)),
    poller('workItems', config.issuePoller.pollInterval, () => pollWorkItems(workItemReader, target)),
  ];

  function poller(name: string, seconds: number, poll: () => Promise<void>) {
    return createPoller({ name, intervalMs: seconds * 1000, clock, logger, poll });
  }

  function publish(event: Event, before: EngineState, after: EngineState): void {
    logger.debug({ seq: event.seq, event: event.body.type }, 'event');
    for (const publicEvent of projectEvent(event, before, after)) events.emit(publicEvent);
    changes.emit();
    retries.watch(before, after);
  }

  async function start() {
    if (loop !== null) throw new Error('The engine is already started.');
    const contents = await journal.load();
    loop = createEventLoop(restoreState(contents, contents.openCommands), {
      journal,
      clock,
      logger,
      settings,
      policy,
      createID: randomUUID,
      publish,
      execute: executor.execute,
      onStale: (body) => logger.debug({ event: body.type }, 'reading older than our own write ignored'),
      onFatal: (error) => {
        logger.error({ err: error }, 'the engine stops: its journal cannot be written');
        void stop();
      },
    });
    await Promise.all(pollers.map((each) => each.start()));
    await loop.idle();
    isResumed = true;
    const recoveriesPerformed = await resumeWork({ contents, journal, state, enqueue, resume: executor.resume });
    await enqueue({ type: 'startupFinished' });
    await loop.idle();
    const issueCount = state().workItems.size;
    logger.info({ issueCount, recoveriesPerformed }, 'started');
    return { issueCount, recoveriesPerformed };
  }

  function stop(): Promise<void> {
    stopping ??= (async () => {
      logger.info({ running: agents.liveSessions().length }, 'shutdown initiated');
      await Promise.all(pollers.map((each) => each.stop()));
      await enqueue({ type: 'shutdownRequested' });
      const timeout = Promise.withResolvers<void>();
      const cancelTimeout = clock.after(config.shutdownTimeout * 1000, timeout.resolve);
      await Promise.race([agents.idle(), timeout.promise]);
      cancelTimeout();
      const terminated = agents.liveSessions().length;
      agents.interruptAll('the engine was shut down');
      await agents.idle();
      retries.stop();
      await loop?.idle();
      await executor.stop();
      await loop?.stop();
      logger.info({ terminated }, 'shutdown complete');
    })();
    return stopping;
  }

  return {
    start,
    stop,
    on: events.add,
    subscribe: changes.add,
    send: (command) => {
      if (command.command === 'shutdown') void stop();
      else void enqueue(requestOf(command));
    },
    refresh: async () => {
      await Promise.all(pollers.map((each) => each.refresh()));
    },
    getAgentStream: (sessionID) => agents.stream(sessionID),
    getSnapshot: () => {
      const { workItems, revisions, runs } = state();
      return {
        workItems: [...workItems.values()],
        revisions: [...revisions.values()],
        runs: [...runs.values()],
        rateLimit: provider.rateLimit(),
      };
    },
    getIssueDetails: (issueNumber) => queries.getIssueDetails(issueNumber),
    getPRForIssue: (issueNumber, query) => queries.getPRForIssue(issueNumber, query),
    getPRFiles: (prNumber) => queries.getPRFiles(prNumber),
    getPRReviews: (prNumber) => queries.getPRReviews(prNumber),
    getCIStatus: (prNumber) => queries.getCIStatus(prNumber),
  };
}

function requestOf(command: Exclude<EngineCommand, { command: 'shutdown' }>): EventBody {
  switch (command.command) {
    case 'dispatchImplementor':
      return { type: 'implementationRequested', workItemID: String(command.issueNumber) };
    case 'dispatchReviewer':
      return { type: 'reviewRequested', workItemID: String(command.issueNumber) };
    case 'cancelAgent':
      return { type: 'cancelRequested', workItemID: String(command.issueNumber) };
    case 'cancelPlanner':
      return { type: 'plannerCancelRequested' };
    case 'mergeRevision':
      return { type: 'mergeRequested', workItemID: String(command.issueNumber) };
  }
}

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ConfigInput } from '../config/schema.ts';
import { parseConfig } from '../config/parse-config.ts';
import type { Event, EventBody } from '../domain/event.ts';
import { createSqliteJournal } from '../journal/create-sqlite-journal.ts';
import type { Lock } from '../journal/take-lock.ts';
import { takeLock } from '../journal/take-lock.ts';
import { createAgentManager } from './agent-manager/create-agent-manager.ts';
import type { Policy } from './command-executor/admit-commands.ts';
import { createCommandExecutor } from './command-executor/create-command-executor.ts';
import type { Engine, EngineEvent, StartupResult } from './engine-types.ts';
import { createAnswers } from './answers.ts';
import type { Decision, EventLoop } from './event-loop/create-event-loop.ts';
import { createEventLoop } from './event-loop/create-event-loop.ts';
import { createWakeTimer } from './event-loop/create-wake-timer.ts';
import { isWakeAffected, nextWake } from './event-loop/next-wake.ts';
import { findRepoRoot } from './find-repo-root.ts';
import { createListeners } from './listeners.ts';
import { logEvent } from './log-event.ts';
import type { Journal } from './journal-port.ts';
import type { JournalUpkeep } from './journal-upkeep.ts';
import { createJournalUpkeep } from './journal-upkeep.ts';
import { createPlannerCache } from './planner-cache.ts';
import { createPollers } from './pollers/create-pollers.ts';
import type { PollTarget } from './pollers/poll-target.ts';
import { reportIfGone } from './pollers/poll-work-items.ts';
import type { Clock, Logger, Provider, RuntimeAdapter } from './ports.ts';
import { projectEvent } from './project-event.ts';
import type { EngineQueries } from './query-port.ts';
import { requestOf } from './request-of.ts';
import { resumeWork } from './resume-work.ts';
import type { RuntimeAdapterDeps } from './runtime-adapter/types.ts';
import { settingsFrom } from './settings-from-config.ts';
import type { EngineState } from './state-store/engine-state.ts';
import { emptyState } from './state-store/engine-state.ts';
import { restoreState } from './state-store/restore-state.ts';
import { specsToPlan } from './state-store/specs-to-plan.ts';
import { systemClock } from './system-clock.ts';
import { takeSnapshot } from './take-snapshot.ts';
import { watchJournal } from './watch-journal.ts';

export interface EngineOptions {
  readonly config: ConfigInput;
  readonly provider: Provider & { readonly queries: EngineQueries };
  readonly runtime: (deps: RuntimeAdapterDeps) => RuntimeAdapter;
  /** Default: `.decree/journal.db` in the repository's root, closed by `stop`. One that is passed in stays open. */
  readonly journal?: Journal;
  /** Default: the root of the git repository around the current folder. */
  readonly repoRoot?: string;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly policy?: Policy;
  /** How long the forge's lists may lag behind a write. Default: a minute, as GitHub's may. */
  readonly listLagMs?: number;
  /** Asked once, where there are approved specs and no history: plan them (default), or take them as done? */
  readonly onFirstRun?: (specPaths: readonly string[]) => Promise<'plan' | 'assume-planned'>;
}

const GITHUB_LIST_LAG_MS = 60_000;
const silent = () => {};
const SILENT_LOGGER: Logger = { debug: silent, info: silent, warn: silent, error: silent };

/** Wires the parts. Nothing happens before `start`. Throws if the configuration or the repository cannot be used. */
export function createEngine(options: EngineOptions): Engine {
  const { provider, logger = SILENT_LOGGER, clock = systemClock, policy = () => null } = options;
  const { listLagMs = GITHUB_LIST_LAG_MS, onFirstRun = async () => 'plan' } = options;
  const config = parseConfig(options.config);
  const settings = settingsFrom(config);
  const repoRoot = options.repoRoot ?? findRepoRoot(logger);
  const ownJournal = options.journal ?? createSqliteJournal(path.join(repoRoot, '.decree', 'journal.db'));
  const journal = watchJournal(ownJournal, giveUp);
  const plannerCache = createPlannerCache(repoRoot, logger);
  const events = createListeners<EngineEvent>(logger);
  const changes = createListeners<void>(logger);
  const answers = createAnswers();
  let loop: EventLoop | null = null;
  let upkeep: JournalUpkeep | null = null;
  let stopping: Promise<void> | null = null;
  let lock: Lock | null = null;
  let journalID = '';
  let failure: Error | null = null;
  const ended = Promise.withResolvers<Error | null>();

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
  const { perRunUSD } = settings.budget;
  const agents = createAgentManager({ runtime, journal, logger, perRunUSD, report: enqueue });
  const executor = createCommandExecutor({
    provider,
    journal,
    clock,
    logger,
    state,
    listLagMs,
    journalID: () => journalID,
    report: enqueue,
    lookAgain: (lane) => reportIfGone(workItemReader, lane, target),
    startAgent: agents.start,
    cancelAgent: agents.cancel,
    forgetAgent: agents.forget,
  });
  const wakeTimer = createWakeTimer(clock, (body) => void enqueue(body));
  // Until interrupted commands go on, none of our own writes is under way: what is read is as fresh as can be.
  let isResumed = false;
  const target: PollTarget = {
    state,
    enqueue: (body, readSeq) => enqueue(body, isResumed ? readSeq : undefined),
    enqueueAll: async (bodies, readSeq) => loop?.enqueueAll(bodies, isResumed ? readSeq : undefined),
  };
  const pollers = createPollers({ config, provider, clock, logger, target });

  function publish(event: Event, before: EngineState, after: EngineState, decision: Decision): void {
    logger.debug({ seq: event.seq, event: event.body.type }, 'event');
    if (event.body.type === 'commandFailed') logger.error({ ...event.body }, 'command failed');
    answers.note(event, before, decision);
    for (const publicEvent of projectEvent(event, before, after)) {
      logEvent(publicEvent, logger);
      events.emit(publicEvent);
    }
    changes.emit();
    void plannerCache.update(before, after);
    upkeep?.note(after);
    if (isWakeAffected(event, before, after)) wakeTimer.set(nextWake(after, clock.now(), settings));
  }

  async function start(): Promise<StartupResult> {
    if (loop !== null) throw new Error('The engine is already started.');
    const result = await startUp().catch((error: unknown) => {
      throw failure ?? error;
    });
    if (failure !== null) throw failure;
    return result;
  }

  async function startUp(): Promise<StartupResult> {
    lock = takeLock(path.join(repoRoot, '.decree', 'engine.lock'));
    const contents = await journal.load();
    journalID = contents.journalID;
    upkeep = createJournalUpkeep({ journal: ownJournal, clock, logger, lastSnapshotSeq: contents.lastSnapshotSeq });
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
      onFatal: giveUp,
    });
    await enqueue({ type: 'engineStarted' });
    if (contents.lastSeq === 0) await takeOverCache();
    await pollers.start();
    await loop.idle();
    if (contents.lastSeq === 0) await askAboutFirstRun();
    if (stopping !== null) throw new Error('The engine was stopped while it was starting.');
    isResumed = true;
    const recoveriesPerformed = await resumeWork({
      contents,
      journal,
      state,
      enqueue,
      logger,
      takeOver: (sessionID, process) => runtime.takeOver(sessionID, process),
      resume: executor.resume,
    });
    await enqueue({ type: 'startupFinished' });
    await loop.idle();
    const issueCount = state().workItems.size;
    logger.info({ issueCount, recoveriesPerformed, settings }, 'started');
    return { issueCount, recoveriesPerformed };
  }

  /** What cannot be written down must not be done. */
  function giveUp(error: unknown): void {
    if (failure !== null) return;
    logger.error({ err: error }, 'the engine stops: an event could not be decided on or written down');
    failure = error instanceof Error ? error : new Error(String(error));
    void stop();
  }

  async function takeOverCache(): Promise<void> {
    const specs = await plannerCache.read();
    if (specs !== null) await enqueue({ type: 'specsAssumedPlanned', specs });
  }

  async function askAboutFirstRun(): Promise<void> {
    const specs = specsToPlan(state());
    if (state().lastPlannedSHAs.size > 0 || Object.keys(specs).length === 0) return;
    const answer = await onFirstRun(Object.keys(specs));
    if (answer === 'assume-planned') await enqueue({ type: 'specsAssumedPlanned', specs });
  }

  /** The first call is graceful; a second one does not wait for agents any longer. */
  const impatience = Promise.withResolvers<void>();
  function stop(): Promise<void> {
    if (stopping !== null) impatience.resolve();
    stopping ??= shutDown();
    return stopping;
  }

  async function shutDown(): Promise<void> {
    logger.info({ running: agents.liveSessions().length }, 'shutdown initiated');
    const why = 'the engine was shut down';
    agents.close(why);
    await Promise.race([pollers.stop(), impatience.promise]);
    await enqueue({ type: 'shutdownRequested' });
    const cancelTimeout = clock.after(config.shutdownTimeout * 1000, impatience.resolve);
    await Promise.race([agents.idle(), impatience.promise]);
    cancelTimeout();
    const terminated = agents.liveSessions().length;
    agents.interruptAll(why);
    await agents.idle();
    wakeTimer.stop();
    await loop?.idle();
    await executor.stop();
    await agents.idle();
    await loop?.stop();
    await upkeep?.stop();
    await plannerCache.update(state(), state());
    if (options.journal === undefined) await journal.close();
    lock?.release();
    logger.info({ terminated }, 'shutdown complete');
    ended.resolve(failure);
  }

  return {
    start,
    stop,
    ended: ended.promise,
    on: events.add,
    subscribe: changes.add,
    send: (command) => {
      if (command.command === 'shutdown') void stop();
      else void enqueue(requestOf(command));
    },
    refresh: pollers.refresh,
    getAgentStream: (sessionID) => agents.stream(sessionID),
    getSnapshot: () => {
      const notices = [...pollers.troubles(), ...executor.troubles(), ...answers.recent(clock.now())];
      return takeSnapshot(state(), clock.now(), settings, provider.rateLimit(), notices);
    },
    getIssueDetails: (issueNumber) => queries.getIssueDetails(issueNumber),
    getPRForIssue: (issueNumber, query) => queries.getPRForIssue(issueNumber, query),
    getPRFiles: (prNumber) => queries.getPRFiles(prNumber),
    getPRReviews: (prNumber) => queries.getPRReviews(prNumber),
    getCIStatus: (prNumber) => queries.getCIStatus(prNumber),
  };
}

import type { AdmittedCommand, Command } from '../../domain/command.ts';
import { describeCommand, laneOf } from '../../domain/command.ts';
import type { CommandFailure, OutcomeEvent, RunEvent } from '../../domain/event.ts';
import { PatchError, ProviderError } from '../../domain/provider-error.ts';
import type { Journal, JournalStep, OpenCommand } from '../journal-port.ts';
import { JournalError } from '../journal-port.ts';
import { pause } from '../pause.ts';
import type { Clock, Logger } from '../ports.ts';
import { Superseded, createStepRunner } from './create-step-runner.ts';
import type { PerformDeps } from './perform-command.ts';
import { MARK_ITEM, markedInProgress, performCommand } from './perform-command.ts';

export interface CommandExecutorDeps extends Omit<PerformDeps, 'announce' | 'journal' | 'journalID'> {
  /** Known once the journal is loaded. */
  readonly journalID: () => string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly listLagMs: number;
  /** Reports it if the work item of this lane is gone: polls are not believed while its lane is busy. May reject. */
  readonly lookAgain: (lane: string | null) => Promise<void>;
  /** Reports how a command ended. Resolves when that is durable. */
  readonly report: (body: OutcomeEvent | RunEvent) => Promise<void>;
}

export interface CommandExecutor {
  /** Puts commands into their lanes. Never throws, never waits. */
  execute(commands: readonly AdmittedCommand[]): void;
  /** The same for commands that a restart found open, with the steps that the journal remembers. */
  resume(commands: readonly OpenCommand[]): void;
  /** Commands that wait because the forge does not take them, in words for people: a few, and how many more. */
  troubles(): string[];
  /** Resolves when every lane is empty. */
  idle(): Promise<void>;
  /** Begins nothing more. Steps under way end; what is left stays open in the journal. */
  stop(): Promise<void>;
}

/** How long a lane waits before it looks at a forge again that did not answer: doubles from the first to the last. */
const PAUSE = { firstMs: 1_000, longestMs: 60_000 } as const;
/** An outage is one trouble, however many lanes it stops. */
const TROUBLES_SHOWN = 3;
/** Credentials do not mend themselves: they are tried again, but slowly. */
const LONGEST_WITHOUT_ACCESS_MS = 5 * 60 * 1000;

/**
 * The only writer. Commands of one lane (one work item, or planning) run one after the other; lanes run side by
 * side, so one slow write never holds up another item.
 */
export function createCommandExecutor(deps: CommandExecutorDeps): CommandExecutor {
  const lanes = new Map<string, Promise<void>>();
  const troubles = new Map<string, string>();
  /** By session: aborted when a run is cancelled whose start is on its way. */
  const starts = new Map<string, AbortController>();
  let laneless = 0;
  const stopping = new AbortController();

  function put(admitted: AdmittedCommand, known: readonly JournalStep[]): void {
    const lane = admitted.lane === '' ? `#${laneless++}` : admitted.lane;
    const previous = lanes.get(lane) ?? Promise.resolve();
    const { command } = admitted;
    const next =
      command.type === 'startRun'
        ? startInTurn(previous, admitted, command, known)
        : previous.then(() => run(admitted, known, stopping.signal));
    lanes.set(lane, next);
    void next.then(() => {
      if (lanes.get(lane) === next) lanes.delete(lane);
    });
  }

  /** A start that is cancelled does not wait for its turn, nor for the forge: there is nothing left to do in its lane. */
  async function startInTurn(
    previous: Promise<void>,
    admitted: AdmittedCommand,
    { sessionID }: StartRun,
    known: readonly JournalStep[],
  ): Promise<void> {
    const cancelling = new AbortController();
    starts.set(sessionID, cancelling);
    await Promise.race([previous, aborted(cancelling.signal)]);
    await run(admitted, known, AbortSignal.any([stopping.signal, cancelling.signal]));
    starts.delete(sessionID);
    deps.forgetAgent(sessionID);
    await previous;
  }

  function cancelAgent(sessionID: string, reason: string): void {
    deps.cancelAgent(sessionID, reason);
    starts.get(sessionID)?.abort();
  }

  /** Never rejects: a lane must survive whatever one of its commands does. */
  async function run(
    { key, command }: AdmittedCommand,
    known: readonly JournalStep[],
    signal: AbortSignal,
  ): Promise<void> {
    const begun = new Set(known.map(({ name }) => name));
    const step = createStepRunner(key, command, known, { ...deps, signal, begun });
    const performing = { ...deps, cancelAgent, announce: deps.report, journalID: deps.journalID() };
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        const outcome = await performCommand(key, command, step, performing);
        if (outcome) await deps.report(outcome);
        return;
      } catch (error) {
        // A journal that fails has stopped the loop as well: the command stays open for the next start.
        if (error instanceof JournalError) return;
        if (signal.aborted) break;
        const pauseMs = pauseAfter(error, tries, deps.clock.now());
        if (pauseMs === null) return deps.report(ended(key, command, error));
        // Said once; while it lasts it is among the troubles.
        const level = tries === 0 ? 'error' : 'debug';
        deps.logger[level]({ key, command: command.type, err: error, pauseMs }, 'forge did not answer, trying again');
        troubles.set(key, describe(command, error));
        await pause(deps.clock, pauseMs, signal)
          .then(() => deps.lookAgain(laneOf(command)))
          .catch(() => undefined);
        troubles.delete(key);
      }
    }
    if (command.type === 'startRun') await abandon(key, command, begun);
  }

  /**
   * Stopped or cancelled before its agent ran. Its start is not tried any more, so this only says that it was ended, which
   * is held against nobody; every other command stays open for the next start.
   */
  async function abandon(key: string, command: StartRun, begun: ReadonlySet<string>): Promise<void> {
    const { subject } = command;
    // Its item may have been marked although nobody heard of it: then the mark has to be taken back.
    const isMarked = subject.role === 'implementor' && begun.has(MARK_ITEM) && !stopping.signal.aborted;
    if (isMarked) await deps.report(markedInProgress(subject.workItemID));
    await deps.startAgent(key, command).catch(() => undefined);
  }

  return {
    execute: (commands) => {
      for (const admitted of commands) put(admitted, []);
    },
    resume: (commands) => {
      for (const { steps, ...admitted } of commands) put(admitted, steps);
    },
    troubles: () => {
      const all = [...troubles.values()];
      const more = all.length - TROUBLES_SHOWN;
      return more <= 0 ? all : [...all.slice(0, TROUBLES_SHOWN), `${more} more commands wait for the forge.`];
    },
    idle: async () => {
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes.values());
    },
  };
}

type StartRun = Extract<Command, { type: 'startRun' }>;

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function describe(command: Command, error: unknown): string {
  return `${describeCommand(command)} waits: ${error instanceof Error ? error.message : String(error)}`;
}

/** How long to wait before trying again; null if trying again would not help. */
function pauseAfter(error: unknown, tries: number, now: number): number | null {
  if (!(error instanceof ProviderError && error.mayPass)) return null;
  const grown = PAUSE.firstMs * 2 ** tries;
  // By a clock that runs ahead of the forge's, every limit is over at once.
  if (error.until !== null) return Math.max(Math.min(grown, PAUSE.longestMs), error.until - now);
  return Math.min(grown, error.isInDoubt ? PAUSE.longestMs : LONGEST_WITHOUT_ACCESS_MS);
}

function ended(key: string, command: Command, error: unknown): OutcomeEvent {
  if (error instanceof Superseded) {
    return { type: 'commandSuperseded', command, reason: error.message, settles: key };
  }
  return { type: 'commandFailed', command, failure: failureOf(error), settles: key };
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof PatchError) return { kind: error.kind, message: error.message, paths: error.paths };
  if (error instanceof ProviderError) return { kind: error.kind, message: error.message, paths: [] };
  return { kind: 'unexpected', message: error instanceof Error ? error.message : String(error), paths: [] };
}

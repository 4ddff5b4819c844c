import type { AdmittedCommand, Command } from '../../domain/command.ts';
import { laneOf } from '../../domain/command.ts';
import type { CommandFailure, OutcomeEvent, RunEvent } from '../../domain/event.ts';
import { PatchError, ProviderError } from '../../domain/provider-error.ts';
import type { Journal, JournalStep, OpenCommand } from '../journal-port.ts';
import { JournalError } from '../journal-port.ts';
import { pause } from '../pause.ts';
import type { Clock, Logger } from '../ports.ts';
import { Superseded, createStepRunner } from './create-step-runner.ts';
import type { PerformDeps } from './perform-command.ts';
import { performCommand } from './perform-command.ts';

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
  let laneless = 0;
  const stopping = new AbortController();

  function put(admitted: AdmittedCommand, known: readonly JournalStep[]): void {
    const lane = admitted.lane === '' ? `#${laneless++}` : admitted.lane;
    const previous = lanes.get(lane) ?? Promise.resolve();
    const next = previous.then(() => run(admitted, known));
    lanes.set(lane, next);
    void next.then(() => {
      if (lanes.get(lane) === next) lanes.delete(lane);
    });
  }

  /** Never rejects: a lane must survive whatever one of its commands does. */
  async function run({ key, command }: AdmittedCommand, known: readonly JournalStep[]): Promise<void> {
    const step = createStepRunner(key, command, known, { ...deps, signal: stopping.signal });
    for (let tries = 0; !stopping.signal.aborted; tries++) {
      try {
        const outcome = await performCommand(key, command, step, {
          ...deps,
          announce: deps.report,
          journalID: deps.journalID(),
        });
        if (outcome) await deps.report(outcome);
        return;
      } catch (error) {
        // A journal that fails has stopped the loop as well: the command stays open for the next start.
        if (error instanceof JournalError) return;
        if (stopping.signal.aborted) break;
        const pauseMs = pauseAfter(error, tries, deps.clock.now());
        if (pauseMs === null) return deps.report(ended(key, command, error));
        // Said once; while it lasts it is among the troubles.
        const level = tries === 0 ? 'error' : 'debug';
        deps.logger[level]({ key, command: command.type, err: error, pauseMs }, 'forge did not answer, trying again');
        troubles.set(key, describe(command, error));
        await pause(deps.clock, pauseMs, stopping.signal)
          .then(() => deps.lookAgain(laneOf(command)))
          .catch(() => undefined);
        troubles.delete(key);
      }
    }
    // Stopped before its agent ran. Agents are not started any more, so this only says that it was interrupted, which is
    // held against nobody; every other command stays open for the next start.
    if (command.type === 'startRun') await deps.startAgent(key, command).catch(() => undefined);
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

function describe(command: Command, error: unknown): string {
  const lane = laneOf(command) ?? '';
  return `${command.type} of ${/^\d+$/.test(lane) ? `#${lane}` : lane} waits: ${error instanceof Error ? error.message : String(error)}`;
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

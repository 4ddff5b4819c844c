import { setImmediate } from 'node:timers/promises';
import type { Journal, Retention } from './journal-port.ts';
import type { Clock, Logger } from './ports.ts';
import type { EngineState } from './state-store/engine-state.ts';
import { SNAPSHOT_VERSION, writeState } from './state-store/snapshot-state.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** With two snapshots kept, the journal holds between 10,000 and 20,000 events. */
const EVENTS_A_SNAPSHOT = 10_000;
const KEPT = { snapshots: 2, events: 10_000, resultsMs: 30 * DAY_MS } as const;

export interface JournalUpkeep {
  /** To be told of every new state. If it is time, the work is done beside the event loop. Never throws. */
  note(state: EngineState): void;
  /** Begins nothing more; resolves when what was begun has ended. */
  stop(): Promise<void>;
}

export interface JournalUpkeepDeps {
  readonly journal: Pick<Journal, 'saveSnapshot' | 'prune'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lastSnapshotSeq: number;
}

/**
 * Keeps the journal from growing for ever: now and then the state becomes a snapshot, and what came before the oldest
 * kept one is pruned. In small pieces, so that events never wait for it noticeably. Failing costs nothing but space, so
 * it is logged and tried again later; a journal that cannot be written at all stops the engine elsewhere.
 */
export function createJournalUpkeep({ journal, clock, logger, lastSnapshotSeq }: JournalUpkeepDeps): JournalUpkeep {
  let done: UpkeepDone = { snapshotSeq: lastSnapshotSeq, prunedAt: null };
  let working: Promise<void> | null = null;
  let isStopped = false;

  async function work(state: EngineState, task: UpkeepTask): Promise<void> {
    const { seq } = state;
    try {
      if (task === 'snapshot') await saveSnapshot(state);
      while (!isStopped && (await journal.prune(retentionAt(clock.now())))) await setImmediate();
    } catch (error) {
      logger.warn({ err: error, seq }, 'the journal could not be tidied up');
    } finally {
      done = { snapshotSeq: task === 'snapshot' ? seq : done.snapshotSeq, prunedAt: clock.now() };
      working = null;
    }
  }

  async function saveSnapshot(state: EngineState): Promise<void> {
    const pieces: string[] = [];
    for (const piece of writeState(state)) {
      await setImmediate();
      if (isStopped) return;
      pieces.push(piece);
    }
    await journal.saveSnapshot({ seq: state.seq, version: SNAPSHOT_VERSION, body: pieces.join('') });
    logger.debug({ seq: state.seq }, 'snapshot saved');
  }

  return {
    note: (state) => {
      if (isStopped || working !== null) return;
      const task = upkeepDue(state, clock.now(), done);
      if (task !== null) working = work(state, task);
    },
    stop: async () => {
      isStopped = true;
      await working;
    },
  };
}

export type UpkeepTask = 'snapshot' | 'prune';

export interface UpkeepDone {
  /** The event of the newest snapshot. */
  readonly snapshotSeq: number;
  /** Null: not since the start. */
  readonly prunedAt: number | null;
}

/**
 * What to do now. Never while starting up or shutting down: there is enough to do, and the state of a start-up holds
 * rows of items long gone, which a replay does not know.
 */
export function upkeepDue({ isOpen, seq }: EngineState, now: number, done: UpkeepDone): UpkeepTask | null {
  if (!isOpen) return null;
  if (seq - done.snapshotSeq >= EVENTS_A_SNAPSHOT) return 'snapshot';
  return done.prunedAt === null || now - done.prunedAt >= DAY_MS ? 'prune' : null;
}

function retentionAt(now: number): Retention {
  return { snapshots: KEPT.snapshots, events: KEPT.events, resultsSince: now - KEPT.resultsMs };
}

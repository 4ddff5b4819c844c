import type { AgentResult } from '../domain/agent-result.ts';
import type { AdmittedCommand } from '../domain/command.ts';
import type { Effort } from '../domain/effort.ts';
import type { Event } from '../domain/event.ts';
import type { Plan } from '../domain/plan.ts';
import type { Run } from '../domain/run.ts';
import type { RunUsage } from './ports.ts';

/** A row that the journal owns. A null value means that it is deleted. Rows of `runs` are never deleted. */
export type RowChange =
  | { readonly table: 'runs'; readonly id: string; readonly row: Run }
  | { readonly table: 'plans'; readonly id: string; readonly row: Plan | null }
  | { readonly table: 'planned'; readonly id: string; readonly row: string | null }
  | { readonly table: 'efforts'; readonly id: string; readonly row: Effort | null }
  | { readonly table: 'spend'; readonly id: string; readonly row: number };

/** All that one event leads to. Written in one transaction, before anything is published or executed. */
export interface JournalEntry {
  readonly event: Event;
  readonly commands: readonly AdmittedCommand[];
  /** The key of the command that this event settles. */
  readonly settles: string | null;
  readonly rows: readonly RowChange[];
}

/** A step of a command. `outcome` is JSON; null while the step is begun but not known to be done. */
export interface JournalStep {
  readonly name: string;
  readonly outcome: string | null;
}

/** A command that was admitted and not settled when the engine last stopped. */
export interface OpenCommand extends AdmittedCommand {
  readonly steps: readonly JournalStep[];
}

/** The engine's own rows, as the journal gives them back. */
export interface OwnedRows {
  readonly lastSeq: number;
  /** Unfinished runs, and the newest finished one of each work item and of the planner. */
  readonly runs: readonly Run[];
  readonly plans: readonly Plan[];
  readonly lastPlannedSHAs: readonly (readonly [string, string])[];
  readonly efforts: readonly (readonly [string, Effort])[];
  /** Settled cost by UTC day, in USD. */
  readonly spend: readonly (readonly [string, number])[];
}

export interface JournalContents extends OwnedRows {
  /** Made with the journal and never changed. */
  readonly journalID: string;
  /** The event of the newest snapshot; 0 if there is none. */
  readonly lastSnapshotSeq: number;
  /** In the order in which they were admitted. */
  readonly openCommands: readonly OpenCommand[];
}

/** What became of an agent's work: stored before anything is done with it. */
export interface StoredResult {
  readonly result: AgentResult;
  readonly usage: RunUsage | null;
}

/**
 * The engine's state after the event `seq`, as text. Replay begins with the oldest one that is kept, since the events
 * before it are pruned. A restart never reads it.
 */
export interface StateSnapshot {
  readonly seq: number;
  /** Of the text's form: whoever knows another one must leave it alone. */
  readonly version: number;
  readonly body: string;
}

/** What must not be pruned. */
export interface Retention {
  /** So many of the newest snapshots are kept, with every event after the oldest of them. */
  readonly snapshots: number;
  /** So many of the newest events are kept in any case. */
  readonly events: number;
  /** Results of runs that ended at this time (epoch ms) or later are kept. */
  readonly resultsSince: number;
}

/**
 * The engine's memory. Every method resolves only when what it wrote is durable, and rejects with JournalError when
 * it could not be: then nothing of that call was written. Asynchronous although SQLite is not, because a journal on
 * another machine is meant to fit.
 */
export interface Journal {
  load(): Promise<JournalContents>;
  append(entry: JournalEntry): Promise<void>;
  /** All of them, in this order, in one transaction. */
  appendAll(entries: readonly JournalEntry[]): Promise<void>;
  /** Idempotent: a step that is begun again stays begun. */
  beginStep(key: string, name: string): Promise<void>;
  /** `outcome` is JSON. */
  endStep(key: string, name: string, outcome: string): Promise<void>;
  /** The call was refused and left nothing behind: as if the step had never begun. */
  dropStep(key: string, name: string): Promise<void>;
  saveResult(sessionID: string, stored: StoredResult): Promise<void>;
  loadResult(sessionID: string): Promise<StoredResult | null>;
  /** Idempotent: the same state may be saved again. */
  saveSnapshot(snapshot: StateSnapshot): Promise<void>;
  /** Oldest first. Rejects if one is damaged. */
  readSnapshots(): Promise<StateSnapshot[]>;
  /**
   * Deletes what nobody needs any more: snapshots but the newest; the events before them with their settled commands;
   * results of runs that ended long ago. What a restart reads, open commands with their steps and what they refer to,
   * stays whatever its age; so does every run. One call does a bounded amount of work; true: there is more to do.
   */
  prune(retention: Retention): Promise<boolean>;
  /** Recorded events after `seq`, oldest first, for replay and audit. Those before the oldest snapshot may be gone. */
  readEvents(afterSeq: number, limit: number): Promise<Event[]>;
  /** The commands that were admitted with the event of that number. */
  readCommands(seq: number): Promise<AdmittedCommand[]>;
  close(): Promise<void>;
}

/**
 * `damaged`: its content is not what was written. `newer`: a newer version of decree wrote it. `locked`: another program
 * holds it. `full`: no room on the disk. `read-only`: the file or its folder may not be written. `unusable`: anything else.
 */
export type JournalFailureKind = 'damaged' | 'newer' | 'locked' | 'full' | 'read-only' | 'unusable';

/** The journal cannot be used. The message says what to do. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly kind: JournalFailureKind;

  constructor(message: string, options: ErrorOptions & { readonly kind?: JournalFailureKind } = {}) {
    super(message, options);
    this.kind = options.kind ?? 'unusable';
  }
}

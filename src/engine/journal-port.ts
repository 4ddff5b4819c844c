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
  /** In the order in which they were admitted. */
  readonly openCommands: readonly OpenCommand[];
}

/** What became of an agent's work: stored before anything is done with it. */
export interface StoredResult {
  readonly result: AgentResult;
  readonly usage: RunUsage | null;
}

/**
 * The engine's memory. Every method resolves only when what it wrote is durable, and rejects with JournalError when
 * it could not be: then nothing of that call was written. Asynchronous although SQLite is not, because a journal on
 * another machine is meant to fit.
 */
export interface Journal {
  load(): Promise<JournalContents>;
  append(entry: JournalEntry): Promise<void>;
  /** Idempotent: a step that is begun again stays begun. */
  beginStep(key: string, name: string): Promise<void>;
  /** `outcome` is JSON. */
  endStep(key: string, name: string, outcome: string): Promise<void>;
  saveResult(sessionID: string, stored: StoredResult): Promise<void>;
  loadResult(sessionID: string): Promise<StoredResult | null>;
  /** Recorded events after `seq`, oldest first, for replay and audit. */
  readEvents(afterSeq: number, limit: number): Promise<Event[]>;
  /** The commands that were admitted with the event of that number. */
  readCommands(seq: number): Promise<AdmittedCommand[]>;
  close(): Promise<void>;
}

/** The journal cannot be used. The message says what to do. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

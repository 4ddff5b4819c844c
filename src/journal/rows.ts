import type { SQLOutputValue } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import type { AgentResult } from '../domain/agent-result.ts';
import type { AdmittedCommand, Command } from '../domain/command.ts';
import type { Effort } from '../domain/effort.ts';
import type { Event, EventBody } from '../domain/event.ts';
import type { Plan } from '../domain/plan.ts';
import type { Run } from '../domain/run.ts';
import type { JournalStep, StateSnapshot, StoredResult } from '../engine/journal-port.ts';
import { JournalError } from '../engine/journal-port.ts';
import type { RunUsage } from '../engine/ports.ts';

type Row = Record<string, SQLOutputValue>;

/**
 * From rows back to what was written. The JSON in them was written by `create-sqlite-journal.ts` under the schema
 * version that was checked when the file was opened, so its shape is taken as given; a column that is not what the
 * schema says means a damaged file.
 */
export const decode = {
  count: (row: Row | undefined): number => number(row, 'n'),
  id: (row: Row | undefined): string => text(row, 'id'),
  verdict: (row: Row | undefined): string => text(row, 'quick_check'),
  run: (row: Row): Run => json<Run>(row, 'body'),
  plan: (row: Row): Plan => json<Plan>(row, 'body'),
  pair: (row: Row): readonly [string, string] => [text(row, 'key'), text(row, 'value')],
  amount: (row: Row): readonly [string, number] => [text(row, 'key'), number(row, 'n')],
  effort: (row: Row): readonly [string, Effort] => [text(row, 'key'), json<Effort>(row, 'body')],
  command: (row: Row): AdmittedCommand => ({
    key: text(row, 'key'),
    lane: text(row, 'lane'),
    command: json<Command>(row, 'body'),
  }),
  step: (row: Row): JournalStep => ({
    name: text(row, 'name'),
    outcome: row['outcome'] === null ? null : text(row, 'outcome'),
  }),
  result: (row: Row): StoredResult => ({
    result: json<AgentResult>(row, 'result'),
    usage: row['usage'] === null ? null : json<RunUsage>(row, 'usage'),
  }),
  event: (row: Row): Event => ({
    seq: number(row, 'seq'),
    at: number(row, 'at'),
    id: text(row, 'id'),
    readSeq: row['read_seq'] === null ? null : number(row, 'read_seq'),
    body: json<EventBody>(row, 'body'),
  }),
  snapshot: (row: Row): StateSnapshot => ({
    seq: number(row, 'seq'),
    version: number(row, 'version'),
    body: unpacked(row, 'body'),
  }),
};

function text(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw damaged(column);
  return value;
}

function number(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== 'number') throw damaged(column);
  return value;
}

function json<T>(row: Row | undefined, column: string): T {
  const value: T = JSON.parse(text(row, column));
  return value;
}

/** Text that was packed with gzip, which also tells whether it is what was packed. */
function unpacked(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (!(value instanceof Uint8Array)) throw damaged(column);
  try {
    return gunzipSync(value).toString('utf8');
  } catch (cause) {
    throw damaged(column, cause);
  }
}

function damaged(column: string, cause?: unknown): JournalError {
  return new JournalError(`the column '${column}' does not hold what was written`, { kind: 'damaged', cause });
}

import { randomUUID } from 'node:crypto';
import type { AdmittedCommand } from '../domain/command.ts';
import type { Effort } from '../domain/effort.ts';
import type { Event } from '../domain/event.ts';
import type { Plan } from '../domain/plan.ts';
import type { Run } from '../domain/run.ts';
import { isFinished, workItemOf } from '../domain/run.ts';
import type {
  Journal,
  JournalContents,
  JournalEntry,
  JournalStep,
  Retention,
  StateSnapshot,
  StoredResult,
} from '../engine/journal-port.ts';

interface CommandRecord {
  readonly admitted: AdmittedCommand;
  readonly seq: number;
  readonly steps: Map<string, JournalStep>;
  isSettled: boolean;
}

/** The SQLite journal's twin for tests: the same contract, gone with the process. Everything is copied through JSON. */
export function createMemoryJournal(): Journal {
  const journalID = randomUUID().slice(0, 8);
  let events: Event[] = [];
  let snapshots: StateSnapshot[] = [];
  const commands = new Map<string, CommandRecord>();
  const runs = new Map<string, Run>();
  const plans = new Map<string, Plan>();
  const planned = new Map<string, string>();
  const efforts = new Map<string, Effort>();
  const spend = new Map<string, number>();
  const results = new Map<string, StoredResult>();

  function contents(): JournalContents {
    const newest = new Map<string, Run>();
    for (const run of runs.values()) {
      const id = workItemOf(run.subject) ?? '';
      if (!isFinished(run.status)) continue;
      const known = newest.get(id);
      if (known === undefined || known.requestedAt <= run.requestedAt) newest.set(id, run);
    }
    return {
      journalID,
      lastSeq: Math.max(events.at(-1)?.seq ?? 0, snapshots.at(-1)?.seq ?? 0),
      lastSnapshotSeq: snapshots.at(-1)?.seq ?? 0,
      runs: [...[...runs.values()].filter((run) => !isFinished(run.status)), ...newest.values()],
      plans: [...plans.values()],
      lastPlannedSHAs: [...planned],
      efforts: [...efforts],
      spend: [...spend],
      openCommands: [...commands.values()]
        .filter((record) => !record.isSettled)
        .map((record) => ({ ...record.admitted, steps: [...record.steps.values()] })),
    };
  }

  function append(entry: JournalEntry): void {
    const { event, settles } = copy(entry);
    events.push(event);
    const settled = settles === null ? undefined : commands.get(settles);
    if (settled) {
      settled.isSettled = true;
      settled.steps.clear();
    }
    for (const admitted of copy(entry.commands)) {
      commands.set(admitted.key, { admitted, seq: event.seq, steps: new Map(), isSettled: false });
    }
    for (const change of copy(entry.rows)) {
      switch (change.table) {
        case 'runs':
          runs.set(change.id, change.row);
          break;
        case 'plans':
          keep(plans, change.id, change.row);
          break;
        case 'planned':
          keep(planned, change.id, change.row);
          break;
        case 'spend':
          spend.set(change.id, change.row);
          break;
        case 'efforts':
          keep(efforts, change.id, change.row);
          break;
      }
    }
  }

  function prune(retention: Retention): boolean {
    snapshots = snapshots.slice(-retention.snapshots);
    const oldest = snapshots[0]?.seq ?? 0;
    const cut = Math.min(oldest, (events.at(-1)?.seq ?? 0) - retention.events);
    events = events.filter(({ seq }) => seq > cut);
    const needed = new Set<string>();
    for (const [key, { seq, isSettled, admitted }] of commands) {
      if (isSettled && seq <= cut) commands.delete(key);
      if (!isSettled && 'sessionID' in admitted.command) needed.add(admitted.command.sessionID);
    }
    for (const sessionID of results.keys()) {
      const run = runs.get(sessionID);
      const isOld = run !== undefined && isFinished(run.status) && (run.endedAt ?? Infinity) < retention.resultsSince;
      if (isOld && !needed.has(sessionID)) results.delete(sessionID);
    }
    return false;
  }

  return {
    load: async () => copy(contents()),
    append: async (entry) => append(entry),
    appendAll: async (entries) => {
      for (const entry of entries) append(entry);
    },
    beginStep: async (key, name) => {
      const steps = commands.get(key)?.steps;
      if (steps && !steps.has(name)) steps.set(name, { name, outcome: null });
    },
    endStep: async (key, name, outcome) => {
      const steps = commands.get(key)?.steps;
      if (steps?.has(name)) steps.set(name, { name, outcome });
    },
    dropStep: async (key, name) => {
      commands.get(key)?.steps.delete(name);
    },
    saveResult: async (sessionID, stored) => {
      results.set(sessionID, copy(stored));
    },
    loadResult: async (sessionID) => results.get(sessionID) ?? null,
    saveSnapshot: async (snapshot) => {
      const others = snapshots.filter(({ seq }) => seq !== snapshot.seq);
      snapshots = [...others, copy(snapshot)].sort((a, b) => a.seq - b.seq);
    },
    readSnapshots: async () => snapshots,
    prune: async (retention) => prune(retention),
    readEvents: async (afterSeq, limit) => events.filter((event) => event.seq > afterSeq).slice(0, limit),
    readCommands: async (seq) => [...commands.values()].filter((r) => r.seq === seq).map((r) => r.admitted),
    close: async () => {},
  };
}

function keep<V>(rows: Map<string, V>, id: string, row: V | null): void {
  if (row === null) rows.delete(id);
  else rows.set(id, row);
}

function copy<T>(value: T): T {
  const copied: T = JSON.parse(JSON.stringify(value));
  return copied;
}

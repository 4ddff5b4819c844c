import type { AdmittedCommand } from '../../domain/command.ts';
import type { Event, EventBody } from '../../domain/event.ts';
import { settledBy } from '../../domain/event.ts';
import type { Policy, Refusal } from '../command-executor/admit-commands.ts';
import { admitCommands } from '../command-executor/admit-commands.ts';
import { runHandlers } from '../handlers/run-handlers.ts';
import type { Journal, JournalEntry } from '../journal-port.ts';
import type { Clock, Logger } from '../ports.ts';
import type { WorkflowSettings } from '../settings.ts';
import { changedRows } from '../state-store/changed-rows.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { isStaleReading } from '../state-store/read-guard.ts';
import { reduce } from '../state-store/reduce.ts';

export interface EventLoopDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: WorkflowSettings;
  readonly policy: Policy;
  readonly createID: () => string;
  /** Called after the event is durable, in order. Must not throw. */
  readonly publish: (event: Event, before: EngineState, after: EngineState, decision: Decision) => void;
  /** Called after the event is durable. Must not throw, must not wait. */
  readonly execute: (commands: readonly AdmittedCommand[]) => void;
  /** A reading was too old to be believed; whoever read it should look again. */
  readonly onStale: (body: EventBody) => void;
  /** The journal failed, or a decision threw: nothing more is processed. Called once. */
  readonly onFatal: (error: unknown) => void;
}

export interface EventLoop {
  /** Queues an event; resolves when it is durable and published, or when it was dropped as stale or after a stop. */
  enqueue(body: EventBody, readSeq?: number): Promise<void>;
  /** The same for many that may become durable together: each is decided on in turn, and a crash loses few or none. */
  enqueueAll(bodies: readonly EventBody[], readSeq?: number): Promise<void>;
  state(): EngineState;
  /** Resolves when the queue is empty. */
  idle(): Promise<void>;
  /** Processes nothing more; what is queued is dropped (it will be read again, or is in the journal as a result). */
  stop(): Promise<void>;
}

interface Queued {
  readonly bodies: readonly EventBody[];
  readonly readSeq: number | null;
  readonly done: () => void;
}

/** So many events at most share a transaction: none of them is published before all of them are durable. */
const MOST_TOGETHER = 250;

/**
 * One event at a time: reduce, run every handler on the new state, admit the commands, write all of it to the
 * journal in one transaction, and only then publish and execute. If that write fails, the state is as before the
 * event and the loop stops.
 */
export function createEventLoop(initial: EngineState, deps: EventLoopDeps): EventLoop {
  let state = initial;
  let queue: Queued[] = [];
  let working: Promise<void> | null = null;
  let isStopped = false;

  function put(bodies: readonly EventBody[], readSeq?: number): Promise<void> {
    if (isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      queue.push({ bodies, readSeq: readSeq ?? null, done: resolve });
      working ??= work();
    });
  }

  async function putAll(bodies: readonly EventBody[], readSeq?: number): Promise<void> {
    const puts: Promise<void>[] = [];
    for (let begin = 0; begin < bodies.length; begin += MOST_TOGETHER) {
      puts.push(put(bodies.slice(begin, begin + MOST_TOGETHER), readSeq));
    }
    await Promise.all(puts);
  }

  async function work(): Promise<void> {
    try {
      while (!isStopped) {
        const next = queue.shift();
        if (next === undefined) break;
        await process(next).finally(next.done);
      }
    } catch (error) {
      isStopped = true;
      deps.onFatal(error);
    } finally {
      if (isStopped) drop();
      working = null;
    }
  }

  function drop(): void {
    for (const waiting of queue) waiting.done();
    queue = [];
  }

  async function process({ bodies, readSeq }: Queued): Promise<void> {
    const decided: Decided[] = [];
    let latest = state;
    for (const body of bodies) {
      if (readSeq !== null && isStaleReading(latest, body, readSeq)) {
        deps.onStale(body);
        continue;
      }
      const event: Event = { seq: latest.seq + 1, at: deps.clock.now(), id: deps.createID(), readSeq, body };
      const decision = decide(latest, event, deps.settings, deps.policy);
      decided.push({ event, before: latest, decision });
      latest = decision.after;
    }
    const entries = decided.map(entryOf);
    const [first] = entries;
    if (first === undefined) return;
    await (entries.length === 1 ? deps.journal.append(first) : deps.journal.appendAll(entries));

    for (const { event, before, decision } of decided) {
      state = decision.after;
      for (const { command, reason } of decision.refused) deps.logger.info({ command, reason }, 'command refused');
      deps.publish(event, before, decision.after, decision);
      deps.execute(decision.commands);
    }
  }

  return {
    enqueue: (body, readSeq) => put([body], readSeq),
    enqueueAll: putAll,
    state: () => state,
    idle: async () => {
      while (working !== null) await working;
    },
    stop: async () => {
      isStopped = true;
      await working;
      drop();
    },
  };
}

interface Decided {
  readonly event: Event;
  readonly before: EngineState;
  readonly decision: Decision;
}

function entryOf({ event, before, decision }: Decided): JournalEntry {
  const { commands, after } = decision;
  return { event, commands, settles: settledBy(event.body), rows: changedRows(before, after) };
}

export interface Decision {
  readonly after: EngineState;
  readonly commands: readonly AdmittedCommand[];
  readonly refused: readonly Refusal[];
}

/** What follows from an event: pure, so that a recorded run can be replayed. */
export function decide(state: EngineState, event: Event, settings: WorkflowSettings, policy: Policy): Decision {
  const reduced = reduce(state, event, settings);
  const proposed = runHandlers(event, state, reduced, settings);
  const { state: after, commands, refused } = admitCommands(reduced, event, proposed, settings, policy);
  return { after, commands, refused };
}

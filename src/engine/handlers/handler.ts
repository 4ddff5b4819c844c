import type { Command } from '../../domain/command.ts';
import type { Event } from '../../domain/event.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from '../state-store/engine-state.ts';

export interface HandlerContext {
  readonly event: Event;
  /** The state before the event. */
  readonly before: EngineState;
  /** The state after it: what decisions are made on. */
  readonly state: EngineState;
  /** The work items whose situation the event may have changed: handlers look at these and not at all of them. */
  readonly touched: readonly WorkItem[];
  readonly settings: WorkflowSettings;
  /** Derived from the event's id, so that a replay gives the same ids. */
  readonly newSessionID: () => string;
}

/** Answers one question: given what just happened, what should be done? Pure. Proposes; guards decide. */
export type Handler = (context: HandlerContext) => Command[];

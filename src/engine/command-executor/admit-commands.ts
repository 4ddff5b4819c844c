import type { AdmittedCommand, Command } from '../../domain/command.ts';
import { laneOf } from '../../domain/command.ts';
import type { Event } from '../../domain/event.ts';
import type { Run, RunSubject } from '../../domain/run.ts';
import { workItemOf } from '../../domain/run.ts';
import type { Priority, WorkItem } from '../../domain/work-item.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { isWithinBudget } from '../state-store/engine-state.ts';
import { withNewRun, withOpenCommand, withPlanGivenUp, withRunMoved } from '../state-store/state-changes.ts';
import { whyRefused } from './guards.ts';

/** A person's own rule. Returns why a command must not be executed, or null. One that throws refuses. */
export type Policy = (command: Command, state: EngineState) => string | null;

export interface Refusal {
  readonly command: Command;
  readonly reason: string;
}

export interface Admission {
  readonly state: EngineState;
  readonly commands: readonly AdmittedCommand[];
  readonly refused: readonly Refusal[];
}

/**
 * Decides on commands one after the other, each on the state that the previous one left: two handlers that want the
 * same item, or the last slot, cannot both get it. What is admitted is reserved in the returned state at once.
 */
export function admitCommands(
  state: EngineState,
  event: Event,
  proposed: readonly Command[],
  settings: WorkflowSettings,
  policy: Policy,
): Admission {
  const commands: AdmittedCommand[] = [];
  const refused: Refusal[] = [];
  let current = state;
  for (const command of proposed) {
    const reason = whyRefused(current, command) ?? askPolicy(policy, command, current);
    if (reason !== null) {
      refused.push({ command, reason });
      current = whenRefused(current, event, command, settings);
      continue;
    }
    const reserved = reserve(current, event, command, settings);
    current = reserved.state;
    if (reserved.isWaiting) continue;
    const lane = laneOf(command);
    const key = `${event.seq}.${commands.length}`;
    current = withOpenCommand(current, key, lane);
    commands.push({ key, lane: lane ?? '', command });
  }
  return { state: current, commands, refused };
}

/** A run is in the store before the next command is looked at; without a free slot or money it waits there. */
function reserve(
  state: EngineState,
  event: Event,
  command: Command,
  settings: WorkflowSettings,
): { state: EngineState; isWaiting: boolean } {
  if (command.type !== 'startRun') return { state, isWaiting: false };
  const hasSlot = state.isOpen && state.slotsUsed < settings.maxConcurrent;
  const isWaiting = !hasSlot || !isWithinBudget(state, event.at, settings.budget);
  const status = isWaiting ? 'waiting' : 'requested';
  if (state.runs.has(command.sessionID)) {
    const { subject } = command;
    return { state: isWaiting ? state : withRunMoved(state, command.sessionID, 'requested', { subject }), isWaiting };
  }
  const workItemID = workItemOf(command.subject);
  const run: Run = {
    sessionID: command.sessionID,
    subject: command.subject,
    attempt: command.attempt,
    rank: rankOf(command.subject, workItemID === null ? undefined : state.workItems.get(workItemID)),
    status,
    requestedAt: event.at,
    startedAt: null,
    endedAt: null,
    model: command.model,
    statusBefore: workItemID === null ? null : (state.workItems.get(workItemID)?.status ?? null),
    logFilePath: null,
    reservedUSD: settings.budget.perRunUSD,
    usage: null,
    failure: null,
    savedRef: null,
  };
  return { state: withNewRun(state, run), isWaiting };
}

/** A plan of which one part is refused is given up as a whole. */
function whenRefused(state: EngineState, { at }: Event, command: Command, { retry }: WorkflowSettings): EngineState {
  switch (command.type) {
    case 'createWorkItem':
    case 'updateWorkItem':
    case 'closeWorkItem':
      return withPlanGivenUp(state, command.sessionID, at, retry);
    default:
      return state;
  }
}

const RANKS: Readonly<Record<Priority, number>> = { high: 1, medium: 3, low: 7 };
const NO_PRIORITY = 5;

/** By priority; of the same priority, work that was begun is finished before new work. Planners go first of all. */
function rankOf(subject: RunSubject, item: WorkItem | undefined): number {
  if (subject.role === 'planner') return 0;
  const priority = item?.priority ?? null;
  const isBegun = subject.role === 'reviewer' || subject.start.from === 'revision';
  return (priority === null ? NO_PRIORITY : RANKS[priority]) + (isBegun ? 0 : 1);
}

function askPolicy(policy: Policy, command: Command, state: EngineState): string | null {
  try {
    return policy(command, state);
  } catch (error) {
    return `the policy threw: ${error instanceof Error ? error.message : String(error)}`;
  }
}

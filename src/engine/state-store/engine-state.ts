import type { Effort } from '../../domain/effort.ts';
import { FRESH_EFFORT } from '../../domain/effort.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Revision } from '../../domain/revision.ts';
import type { Run } from '../../domain/run.ts';
import type { Spec } from '../../domain/spec.ts';
import type { Budget } from '../../domain/spend.ts';
import { dayOf } from '../../domain/spend.ts';
import type { Closure, WorkItem } from '../../domain/work-item.ts';
import { PersistentMap } from './persistent-map.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * Everything that decisions are made from. A value: each event gives a new one that shares what did not change.
 * The forge owns the first group, the journal the second; the third is derived and never stored.
 */
export interface EngineState {
  /** Of the last event that was applied. */
  readonly seq: number;

  /** Tracked work items. */
  readonly workItems: PersistentMap<WorkItem>;
  /** Open revisions. */
  readonly revisions: PersistentMap<Revision>;
  readonly specs: PersistentMap<Spec>;
  /** The commit at which `specs` were read; '' before the first read. */
  readonly commitSHA: string;
  /** Blockers that are not tracked: how they were closed, or `open`. */
  readonly closures: PersistentMap<Closure | 'open'>;

  /** Unfinished runs by session. */
  readonly runs: PersistentMap<Run>;
  /** The newest finished run by work item (planners: `planning`). */
  readonly lastRuns: PersistentMap<Run>;
  /** Plans being applied, by the planner's session. */
  readonly plans: PersistentMap<Plan>;
  /** Spec path -> blob SHA of what was last planned. */
  readonly lastPlannedSHAs: PersistentMap<string>;
  /** By work item; `planning` for the planner. */
  readonly efforts: PersistentMap<Effort>;

  /** Settled cost by UTC day, in USD. */
  readonly spend: PersistentMap<number>;

  /** Unsettled commands: key -> lane. */
  readonly openCommands: PersistentMap<string>;
  /** Lane -> how many unsettled commands; absent means idle. */
  readonly lanes: PersistentMap<number>;
  /** Work item -> sequence number of our last write to it. */
  readonly lastWrites: PersistentMap<number>;
  /** Work item (or `planning`) -> session of its newest run, finished or not. */
  readonly currentRuns: PersistentMap<string>;
  /** Blocker -> tracked work items that name it. */
  readonly dependents: PersistentMap<readonly string[]>;
  /** Work item -> open revisions that close it, lowest number first. */
  readonly revisionsOf: PersistentMap<readonly string[]>;
  /** Work items that are gone from the forge but whose run has not ended yet. */
  readonly leaving: PersistentMap<Closure | 'untracked'>;
  /** Sessions of runs in `waiting`, in the order in which they get slots. */
  readonly waiting: WaitingLine;
  /** Efforts that have a pause or wait for CI, by when that is over. */
  readonly timed: WaitingLine;
  /** Runs that hold a slot (`requested` or `running`). */
  readonly slotsUsed: number;
  /** What they may still cost, in USD. */
  readonly reservedUSD: number;
  /** False while starting up and while shutting down: no agent is started. */
  readonly isOpen: boolean;
}

export function emptyState(): EngineState {
  return {
    seq: 0,
    workItems: PersistentMap.empty(),
    revisions: PersistentMap.empty(),
    specs: PersistentMap.empty(),
    commitSHA: '',
    closures: PersistentMap.empty(),
    runs: PersistentMap.empty(),
    lastRuns: PersistentMap.empty(),
    plans: PersistentMap.empty(),
    lastPlannedSHAs: PersistentMap.empty(),
    efforts: PersistentMap.empty(),
    spend: PersistentMap.empty(),
    openCommands: PersistentMap.empty(),
    lanes: PersistentMap.empty(),
    lastWrites: PersistentMap.empty(),
    currentRuns: PersistentMap.empty(),
    dependents: PersistentMap.empty(),
    revisionsOf: PersistentMap.empty(),
    leaving: PersistentMap.empty(),
    waiting: WaitingLine.empty(),
    timed: WaitingLine.empty(),
    slotsUsed: 0,
    reservedUSD: 0,
    isOpen: false,
  };
}

export function effortOf(state: EngineState, id: string): Effort {
  return state.efforts.get(id) ?? FRESH_EFFORT;
}

/** The unfinished run of a work item (or of `planning`), if there is one. */
export function unfinishedRunOf(state: EngineState, id: string): Run | undefined {
  const sessionID = state.currentRuns.get(id);
  return sessionID === undefined ? undefined : state.runs.get(sessionID);
}

export function linkedRevisionOf(state: EngineState, workItemID: string): Revision | undefined {
  const [first] = state.revisionsOf.get(workItemID) ?? [];
  return first === undefined ? undefined : state.revisions.get(first);
}

/** Whether another run fits into what is left of the day's budget. */
export function isWithinBudget(state: EngineState, at: number, budget: Budget): boolean {
  const spent = state.spend.get(dayOf(at)) ?? 0;
  return spent + state.reservedUSD + budget.perRunUSD <= budget.perDayUSD;
}

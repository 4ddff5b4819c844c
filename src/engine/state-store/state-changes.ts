/** The only functions that build a changed state: each keeps the indexes in step with what they index. */
import type { Effort, RetryLimits } from '../../domain/effort.ts';
import { FRESH_EFFORT, PLANNING, afterFailure, dueOf } from '../../domain/effort.ts';
import type { Plan } from '../../domain/plan.ts';
import { isApplied } from '../../domain/plan.ts';
import type { Revision } from '../../domain/revision.ts';
import type { Run, RunStatus } from '../../domain/run.ts';
import { canMoveRun, isFinished, workItemOf } from '../../domain/run.ts';
import { dayOf } from '../../domain/spend.ts';
import type { Closure, WorkItem, WorkItemStatus } from '../../domain/work-item.ts';
import type { EngineState } from './engine-state.ts';
import { effortOf, linkedRevisionOf, unfinishedRunOf } from './engine-state.ts';
import type { PersistentMap } from './persistent-map.ts';
import type { WaitingLine } from './waiting-line.ts';

export function withWorkItem(state: EngineState, item: WorkItem): EngineState {
  const before = state.workItems.get(item.id);
  const linked = { ...item, linkedRevision: linkedRevisionOf(state, item.id)?.id ?? null };
  const dependents =
    before?.blockedBy.join() === item.blockedBy.join()
      ? state.dependents
      : indexed(unindexed(state.dependents, before?.blockedBy ?? [], item.id), item.blockedBy, item.id);
  const next = {
    ...state,
    workItems: state.workItems.set(item.id, linked),
    dependents,
    closures: state.closures.delete(item.id),
  };
  // What a person changes while no engine is running is told by the difference to this.
  const effort = state.efforts.get(item.id);
  const isSeen = effort?.seen?.status === item.status && effort.seen.contentDigest === item.contentDigest;
  return effort === undefined || isSeen ? next : withEffort(next, item.id, effort);
}

export function withStatus(state: EngineState, workItemID: string, status: WorkItemStatus): EngineState {
  const item = state.workItems.get(workItemID);
  return item === undefined || item.status === status ? state : withWorkItem(state, { ...item, status });
}

/**
 * Takes the item out, or, while a run of it has not ended, marks it as leaving. That we wrote to it is remembered:
 * a listing that lags behind may show it once more.
 */
export function withoutWorkItem(state: EngineState, id: string, closedAs: Closure | null): EngineState {
  if (unfinishedRunOf(state, id)) return { ...state, leaving: state.leaving.set(id, closedAs ?? 'untracked') };
  const item = state.workItems.get(id);
  return {
    ...state,
    workItems: state.workItems.delete(id),
    dependents: unindexed(state.dependents, item?.blockedBy ?? [], id),
    // Only what somebody waits for is remembered; anything else is read by id when it is needed.
    closures: closedAs !== null && state.dependents.has(id) ? state.closures.set(id, closedAs) : state.closures,
    efforts: state.efforts.delete(id),
    timed: withoutDue(state.timed, id, state.efforts.get(id)),
    currentRuns: state.currentRuns.delete(id),
    lastRuns: state.lastRuns.delete(id),
    leaving: state.leaving.delete(id),
  };
}

export function withRevision(state: EngineState, revision: Revision): EngineState {
  const before = state.revisions.get(revision.id);
  let { revisionsOf } = state;
  if (before?.workItemID !== revision.workItemID) {
    revisionsOf = unindexed(revisionsOf, owner(before), revision.id);
    revisionsOf = indexed(revisionsOf, owner(revision), revision.id);
  }
  const next = { ...state, revisions: state.revisions.set(revision.id, revision), revisionsOf };
  return relinked(next, [...owner(before), ...owner(revision)]);
}

export function withoutRevision(state: EngineState, id: string): EngineState {
  const before = state.revisions.get(id);
  const revisionsOf = unindexed(state.revisionsOf, owner(before), id);
  return relinked({ ...state, revisions: state.revisions.delete(id), revisionsOf }, owner(before));
}

export function withNewRun(state: EngineState, run: Run): EngineState {
  const next = { ...state, currentRuns: state.currentRuns.set(workItemOf(run.subject) ?? PLANNING, run.sessionID) };
  return countSlot({ ...next, runs: state.runs.set(run.sessionID, run) }, run, undefined, run.status);
}

/** Moves a run along; an illegal move or an unknown run changes nothing. A finished run leaves `runs`. */
export function withRunMoved(
  state: EngineState,
  sessionID: string,
  to: RunStatus,
  details: Partial<
    Pick<Run, 'subject' | 'startedAt' | 'endedAt' | 'logFilePath' | 'process' | 'failure' | 'savedRef' | 'usage'>
  >,
): EngineState {
  const run = state.runs.get(sessionID);
  if (run === undefined || !canMoveRun(run.status, to)) return state;
  const moved = { ...run, ...details, status: to };
  const next = countSlot(state, run, run.status, to);
  if (!isFinished(to)) return { ...next, runs: next.runs.set(sessionID, moved) };
  const id = workItemOf(run.subject) ?? PLANNING;
  const ended = { ...next, runs: next.runs.delete(sessionID), lastRuns: next.lastRuns.set(id, moved) };
  const leaving = ended.leaving.get(id);
  if (leaving === undefined) return ended;
  // The last run stays, so that its end reaches the journal although its item is gone.
  return { ...withoutWorkItem(ended, id, leaving === 'untracked' ? null : leaving), lastRuns: ended.lastRuns };
}

/** A fresh effort is stored as no row at all. */
export function withEffort(state: EngineState, id: string, effort: Effort): EngineState {
  const isFresh = effort === FRESH_EFFORT;
  const seen = isFresh ? null : lookOf(state.workItems.get(id));
  const efforts = isFresh
    ? state.efforts.delete(id)
    : state.efforts.set(id, seen === null ? effort : { ...effort, seen });
  return { ...state, efforts, timed: withDue(withoutDue(state.timed, id, state.efforts.get(id)), id, effort) };
}

/** The count of attempts and rounds starts anew. What the next implementor must know stays known. */
export function withFreshEffort(state: EngineState, id: string): EngineState {
  const { repair, awaitsCI, approvedSHA } = effortOf(state, id);
  const isBlank = repair === null && awaitsCI === null && approvedSHA === null;
  return withEffort(state, id, isBlank ? FRESH_EFFORT : { ...FRESH_EFFORT, repair, awaitsCI, approvedSHA });
}

/** Keeps a plan until all of it is applied; only then do its specs count as planned. */
export function withPlan(state: EngineState, plan: Plan): EngineState {
  if (!isApplied(plan)) return { ...state, plans: state.plans.set(plan.sessionID, plan) };
  let done = withPlannedSpecs({ ...state, plans: state.plans.delete(plan.sessionID) }, plan.specs);
  for (const [id, effort] of done.efforts) {
    if (effort.awaitsPlan) done = withEffort(done, id, { ...effort, awaitsPlan: false });
  }
  return withEffort(done, PLANNING, FRESH_EFFORT);
}

/**
 * Half a plan is no plan: its specs stay unplanned and the planner is asked again, knowing what exists. The items that
 * were made already wait until then.
 */
export function withPlanGivenUp(state: EngineState, sessionID: string, at: number, limits: RetryLimits): EngineState {
  const plan = state.plans.get(sessionID);
  if (plan === undefined) return state;
  let next: EngineState = { ...state, plans: state.plans.delete(sessionID) };
  for (const id of Object.values(plan.created)) {
    if (next.workItems.has(id)) next = withEffort(next, id, { ...effortOf(next, id), awaitsPlan: true });
  }
  return withEffort(next, PLANNING, afterFailure(effortOf(next, PLANNING), 'planner', at, limits));
}

export function withPlannedSpecs(state: EngineState, specs: Readonly<Record<string, string>>): EngineState {
  let { lastPlannedSHAs } = state;
  for (const [path, sha] of Object.entries(specs)) lastPlannedSHAs = lastPlannedSHAs.set(path, sha);
  return { ...state, lastPlannedSHAs };
}

export function withSpend(state: EngineState, at: number, usd: number): EngineState {
  const day = dayOf(at);
  return usd === 0 ? state : { ...state, spend: state.spend.set(day, (state.spend.get(day) ?? 0) + usd) };
}

export function withOpenCommand(state: EngineState, key: string, lane: string | null): EngineState {
  if (lane === null) return { ...state, openCommands: state.openCommands.set(key, '') };
  const lanes = state.lanes.set(lane, (state.lanes.get(lane) ?? 0) + 1);
  return { ...state, openCommands: state.openCommands.set(key, lane), lanes };
}

export function withSettledCommand(state: EngineState, key: string): EngineState {
  const lane = state.openCommands.get(key);
  if (lane === undefined) return state;
  const left = (state.lanes.get(lane) ?? 1) - 1;
  const lanes = left > 0 ? state.lanes.set(lane, left) : state.lanes.delete(lane);
  return { ...state, openCommands: state.openCommands.delete(key), lanes };
}

function countSlot(state: EngineState, run: Run, from: RunStatus | undefined, to: RunStatus): EngineState {
  const more = Number(holdsSlot(to)) - Number(holdsSlot(from));
  const slotsUsed = state.slotsUsed + more;
  // Nobody holds a slot: nothing is reserved, whatever rounding left.
  const reservedUSD = slotsUsed === 0 ? 0 : state.reservedUSD + more * run.reservedUSD;
  const place = { rank: run.rank, at: run.requestedAt, id: run.sessionID };
  const others = from === 'waiting' ? state.waiting.remove(place) : state.waiting;
  const waiting = to === 'waiting' ? others.add(place) : others;
  return { ...state, slotsUsed, reservedUSD, waiting };
}

/** A line with the point in time that an effort waits for, if there is one. */
export function withDue(line: WaitingLine, id: string, effort: Effort): WaitingLine {
  const due = dueOf(effort);
  return due === null ? line : line.add({ rank: 0, at: due.at, id });
}

function withoutDue(line: WaitingLine, id: string, effort: Effort | undefined): WaitingLine {
  const due = effort === undefined ? null : dueOf(effort);
  return due === null ? line : line.remove({ rank: 0, at: due.at, id });
}

function lookOf(item: WorkItem | undefined): Effort['seen'] {
  return item === undefined ? null : { status: item.status, contentDigest: item.contentDigest };
}

function holdsSlot(status: RunStatus | undefined): boolean {
  return status === 'requested' || status === 'running';
}

function owner(revision: Revision | undefined): readonly string[] {
  return revision === undefined || revision.workItemID === null ? [] : [revision.workItemID];
}

function relinked(state: EngineState, workItemIDs: readonly string[]): EngineState {
  let next = state;
  for (const id of workItemIDs) {
    const item = next.workItems.get(id);
    if (item) next = withWorkItem(next, item);
  }
  return next;
}

type Index = PersistentMap<readonly string[]>;

function indexed(index: Index, keys: readonly string[], id: string): Index {
  let next = index;
  for (const key of keys) next = next.set(key, [...(next.get(key) ?? []).filter((x) => x !== id), id].sort(byNumber));
  return next;
}

function unindexed(index: Index, keys: readonly string[], id: string): Index {
  let next = index;
  for (const key of keys) {
    const left = (next.get(key) ?? []).filter((x) => x !== id);
    next = left.length === 0 ? next.delete(key) : next.set(key, left);
  }
  return next;
}

function byNumber(a: string, b: string): number {
  return Number(a) - Number(b) || (a < b ? -1 : 1);
}

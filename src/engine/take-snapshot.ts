import { PLANNING } from '../domain/effort.ts';
import { dayOf } from '../domain/spend.ts';
import type { EngineSnapshot, Retry } from './engine-types.ts';
import type { RateLimit } from './ports.ts';
import type { WorkflowSettings } from './settings.ts';
import type { EngineState } from './state-store/engine-state.ts';
import { effortOf, isWithinBudget } from './state-store/engine-state.ts';

/** What the engine knows at this moment, for people. `troubles` are what pollers report about the forge. */
export function takeSnapshot(
  state: EngineState,
  now: number,
  settings: WorkflowSettings,
  rateLimit: RateLimit | null,
  troubles: readonly string[],
): EngineSnapshot {
  const { perDayUSD } = settings.budget;
  const isOutOfMoney = state.waiting.size > 0 && !isWithinBudget(state, now, settings.budget);
  const notice = `${state.waiting.size} runs wait: the day's budget of ${perDayUSD} USD is used up or reserved.`;
  return {
    workItems: [...state.workItems.values()],
    revisions: [...state.revisions.values()],
    runs: [...state.runs.values()],
    lastRuns: [...state.lastRuns.values()],
    retries: retriesOf(state),
    dispatch: settings.dispatch,
    spend: { settledUSD: state.spend.get(dayOf(now)) ?? 0, reservedUSD: state.reservedUSD, perDayUSD },
    rateLimit,
    notices: isOutOfMoney ? [...troubles, notice] : [...troubles],
  };
}

function retriesOf(state: EngineState): Retry[] {
  return [...state.timed].flatMap((id) => {
    const { retry } = effortOf(state, id);
    return retry === null ? [] : [{ workItemID: id === PLANNING ? null : id, at: retry.at }];
  });
}

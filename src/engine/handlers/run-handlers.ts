import type { Command } from '../../domain/command.ts';
import type { Event } from '../../domain/event.ts';
import type { WorkflowSettings } from '../settings.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import { answerRequests } from './answer-requests.ts';
import { applyPlan } from './apply-plan.ts';
import { closeMergedItems } from './close-merged-items.ts';
import { dropWaitingRuns } from './drop-waiting-runs.ts';
import type { Handler } from './handler.ts';
import { markReady } from './mark-ready.ts';
import { planSpecs } from './plan-specs.ts';
import { publishResults } from './publish-results.ts';
import { recoverItems } from './recover-items.ts';
import { retryRuns } from './retry-runs.ts';
import { repairRevisions } from './repair-revisions.ts';
import { reportRefusals } from './report-refusals.ts';
import { reviewAfterCI } from './review-after-ci.ts';
import { reviewRevisions } from './review-revisions.ts';
import { startImplementors } from './start-implementors.ts';
import { startWaitingRuns } from './start-waiting-runs.ts';
import { stopRunsOfGoneItems } from './stop-runs-of-gone-items.ts';
import { touchedItems } from './touched-items.ts';

/** In the order in which their commands are admitted. Work that is under way comes before new work. */
const HANDLERS: readonly Handler[] = [
  answerRequests,
  stopRunsOfGoneItems,
  dropWaitingRuns,
  publishResults,
  reviewRevisions,
  reviewAfterCI,
  closeMergedItems,
  repairRevisions,
  recoverItems,
  reportRefusals,
  applyPlan,
  markReady,
  startWaitingRuns,
  retryRuns,
  startImplementors,
  planSpecs,
];

export function runHandlers(
  event: Event,
  before: EngineState,
  state: EngineState,
  settings: WorkflowSettings,
): Command[] {
  let made = 0;
  const newSessionID = () => `${event.id.slice(0, 24)}${(made++).toString(16).padStart(12, '0')}`;
  const context = { event, before, state, touched: touchedItems(event, before, state), settings, newSessionID };
  return HANDLERS.flatMap((handler) => handler(context));
}

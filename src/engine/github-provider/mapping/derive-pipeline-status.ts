import { z } from 'zod';
import type { CheckRun, PipelineResult } from '../../../domain/revision.ts';
import type { CheckRunData, CombinedStatusData } from '../github-client/answers.ts';

const FAILED = new Set<CheckRun['conclusion']>(['failure', 'cancelled', 'timed_out', 'startup_failure']);
const PASSED = new Set<CheckRun['conclusion']>(['success', 'neutral', 'skipped']);

/** A conclusion that we do not know decides nothing. */
const Conclusion = z
  .enum([
    'success',
    'failure',
    'cancelled',
    'timed_out',
    'action_required',
    'neutral',
    'skipped',
    'stale',
    'startup_failure',
  ])
  .nullable()
  .catch(null);

/**
 * One verdict from commit statuses and check runs. The combined state counts only if there are statuses at all:
 * without any GitHub reports `pending`. A check that wants something from a human (`action_required`), or was
 * given up by GitHub (`stale`), is not decided.
 */
export function derivePipelineStatus(combined: CombinedStatusData, checks: readonly CheckRun[]): PipelineResult {
  const checkCount = combined.total_count + checks.length;
  const state = combined.total_count > 0 ? combined.state : 'success';
  const failedCheck = checks.find(isFailed);
  const failedStatus = combined.statuses.find((status) => isFailedState(status.state));
  if (failedCheck !== undefined || isFailedState(state)) {
    const url = failedCheck?.detailsURL ?? failedStatus?.target_url ?? null;
    return { status: 'failure', url, reason: failedCheck?.name ?? failedStatus?.context ?? null, checkCount };
  }
  const hasPassed = state === 'success' && checks.every(({ conclusion }) => PASSED.has(conclusion));
  return { status: checkCount > 0 && hasPassed ? 'success' : 'pending', url: null, reason: null, checkCount };
}

export function isFailed(check: CheckRun): boolean {
  return FAILED.has(check.conclusion);
}

export function mapCheckRun(data: CheckRunData): CheckRun {
  const status = mapStatus(data.status);
  return {
    name: data.name,
    status,
    conclusion: status === 'completed' ? Conclusion.parse(data.conclusion) : null,
    detailsURL: data.details_url ?? data.html_url ?? '',
    output: [data.output?.summary, data.output?.text].filter(Boolean).join('\n\n'),
  };
}

function isFailedState(state: string): boolean {
  return state === 'failure' || state === 'error';
}

function mapStatus(status: string): CheckRun['status'] {
  if (status === 'completed' || status === 'in_progress') return status;
  return 'queued';
}

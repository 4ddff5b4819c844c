import type { Config } from '../config/schema.ts';
import type { WorkflowSettings } from './settings.ts';

export function settingsFrom({ agents, review, ci, budget }: Config): WorkflowSettings {
  return {
    dispatch: agents.dispatch,
    maxConcurrent: agents.maxConcurrent,
    retry: {
      maxAttempts: agents.maxAttempts,
      firstPauseMs: agents.retryBackoff.first * 1000,
      longestPauseMs: agents.retryBackoff.longest * 1000,
    },
    modelByComplexity: agents.modelByComplexity,
    review,
    ci: { autoFix: ci.autoFix, maxRounds: ci.maxRounds },
    budget,
  };
}

import type { RetryLimits } from '../domain/effort.ts';
import type { Budget } from '../domain/spend.ts';
import type { Complexity } from '../domain/work-item.ts';

/** What decisions depend on besides event and state. Plain data, made from the configuration. */
export interface WorkflowSettings {
  readonly dispatch: 'manual' | 'auto';
  /** Runs at the same time, over all roles. */
  readonly maxConcurrent: number;
  readonly retry: RetryLimits;
  readonly modelByComplexity: Readonly<Partial<Record<Complexity, string>>>;
  readonly review: { readonly trigger: 'completion' | 'ci-success'; readonly maxRounds: number };
  readonly ci: { readonly autoFix: boolean; readonly maxRounds: number };
  readonly budget: Budget;
}

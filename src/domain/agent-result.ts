/** A work item that the planner wants. `blockedBy` names tempIDs of the same plan or ids of existing work items. */
export interface PlannedWorkItem {
  readonly tempID: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly blockedBy: readonly string[];
}

export interface PlannedWorkItemUpdate {
  readonly workItemID: string;
  /** Null means no change. */
  readonly body: string | null;
  readonly labels: readonly string[] | null;
}

export interface PlannerResult {
  readonly role: 'planner';
  readonly create: readonly PlannedWorkItem[];
  readonly close: readonly string[];
  readonly update: readonly PlannedWorkItemUpdate[];
}

/** What an implementor changed, byte for byte, and what it started from. */
export interface PatchArtifact {
  readonly patch: string;
  /** The commit that the worktree started from; the new commit's parent. */
  readonly baseSHA: string;
  /** The git tree that the patch must produce on top of `baseSHA`. */
  readonly treeSHA: string;
  /** A commit of the default branch that the work was merged with: the new commit's second parent. */
  readonly mergeSHA?: string;
}

export type ImplementorOutcome = 'completed' | 'blocked' | 'validation-failure';

export interface ImplementorResult {
  readonly role: 'implementor';
  readonly outcome: ImplementorOutcome;
  readonly summary: string;
  /** Null unless `outcome` is `completed`. Empty only for a merge (`mergeSHA`) that changed no file. */
  readonly patch: string | null;
  readonly baseSHA: string | null;
  readonly treeSHA: string | null;
  readonly mergeSHA?: string;
}

export interface AgentReviewComment {
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
}

export type Verdict = 'approve' | 'needs-changes';

export interface AgentReview {
  readonly verdict: Verdict;
  readonly summary: string;
  readonly comments: readonly AgentReviewComment[];
}

export interface ReviewerResult {
  readonly role: 'reviewer';
  readonly review: AgentReview;
}

export type AgentResult = PlannerResult | ImplementorResult | ReviewerResult;

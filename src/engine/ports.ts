/**
 * What the engine asks of the outside: the forge (five provider interfaces), the agent runtime, the clock.
 * The journal's port stands in `journal-port.ts`. Implementations live elsewhere and are passed to `createEngine`.
 */
import type { AgentResult, AgentReview, PatchArtifact } from '../domain/agent-result.ts';
import type { CheckRun, ReviewHistory, Revision, RevisionFile } from '../domain/revision.ts';
import type { AgentProcess, RepairContext, RunStart, RunUsage } from '../domain/run.ts';
import type { Spec, SpecTree } from '../domain/spec.ts';
import type { Closure, WorkItem, WorkItemStatus } from '../domain/work-item.ts';

export type { RunUsage } from '../domain/run.ts';

// Every provider method rejects with ProviderError or PatchError only. Readers never write. Reads, and writes that
// set something absolutely, are retried inside the provider; calls that create something are not (see `CreateOptions`).

/**
 * Carried by every call that creates something. `key` is unique to the command; the provider leaves it in what it
 * creates (`<!-- decree:run <key> -->`, or a commit trailer), so that after a lost answer the matching `find...`
 * tells whether the call took effect. Without it nothing is marked.
 */
export interface CreateOptions {
  readonly key?: string;
}

export interface WorkProviderReader {
  /** All tracked work items, complete or not at all. */
  listWorkItems(): Promise<WorkItem[]>;
  /** Any work item by id, whatever its state or labels; null if there is none. */
  getWorkItem(id: string): Promise<WorkItem | null>;
  /** Its text without engine-made metadata. Rejects with `not-found`. */
  getWorkItemBody(id: string): Promise<string>;
}

export interface WorkProviderWriter {
  /** Sets the status in one absolute update; `closed` also closes it as completed. Idempotent. */
  transitionStatus(workItemID: string, newStatus: WorkItemStatus): Promise<void>;
  /** Closes it and sets `status:closed`. `not-planned` frees nobody who waits for it. Idempotent. */
  closeWorkItem(workItemID: string, closure: Closure): Promise<void>;
  createWorkItem(
    title: string,
    body: string,
    labels: readonly string[],
    blockedBy: readonly string[],
    options?: CreateOptions,
  ): Promise<WorkItem>;
  /** The item that `createWorkItem` made under this key, looked up by listing the app's own entries, or null. */
  findWorkItem(key: string): Promise<WorkItem | null>;
  /** Null means no change. Metadata and reserved labels (`task:*`, `status:*`) are kept. Idempotent. */
  updateWorkItem(workItemID: string, body: string | null, labels: readonly string[] | null): Promise<void>;
  postWorkItemComment(workItemID: string, body: string, options?: CreateOptions): Promise<string>;
  /** The id of the comment made under this key on this work item, or null. */
  findWorkItemComment(workItemID: string, key: string): Promise<string | null>;
}

export interface RevisionProviderReader {
  /** All open revisions with pipeline and linkage, complete or not at all; only `pipeline` may be missing (null). */
  listRevisions(): Promise<Revision[]>;
  getRevision(id: string): Promise<Revision | null>;
  /** Rejects with `not-found`. */
  getRevisionFiles(id: string): Promise<RevisionFile[]>;
  getReviewHistory(id: string): Promise<ReviewHistory>;
  /** The check runs on the revision's head commit. */
  getCheckRuns(id: string): Promise<CheckRun[]>;
}

export interface CreateFromPatchOptions extends CreateOptions, Partial<Omit<PatchArtifact, 'patch'>> {
  /**
   * The work was begun on the branch's open revision. If somebody has closed or merged that since, or has deleted its
   * branch, the call rejects with `refused`: no branch is brought back and no second revision opened.
   */
  readonly isRevised?: boolean;
}

export interface RevisionProviderWriter {
  /**
   * Commits the patch, moves or makes the branch, finds or opens the revision. Idempotent under one key: objects
   * are found by content, the branch by its tip's tree and trailer, the revision by its head branch. No ref is
   * touched unless the tree that the forge built is exactly `treeSHA`.
   */
  createFromPatch(
    workItemID: string,
    patch: string,
    branchName: string,
    options?: CreateFromPatchOptions,
  ): Promise<Revision>;
  updateBody(revisionID: string, body: string): Promise<void>;
  /** Returns the review's id. On the app's own revision the verdict is stated in a plain comment review. */
  postReview(revisionID: string, review: AgentReview, options?: CreateOptions): Promise<string>;
  /** The id of the review made under this key on this revision, or null. */
  findReview(revisionID: string, key: string): Promise<string | null>;
  updateReview(revisionID: string, reviewID: string, review: AgentReview, options?: CreateOptions): Promise<string>;
  postComment(revisionID: string, body: string, options?: CreateOptions): Promise<void>;
  /** Merges if the head is still `expectedHeadSHA`, else rejects with `conflict`. Already merged counts as done. */
  mergeRevision(revisionID: string, expectedHeadSHA: string): Promise<void>;
}

export interface SpecProviderReader {
  listSpecs(): Promise<Spec[]>;
  /** The same, with the commit that they were read at. */
  readSpecTree(): Promise<SpecTree>;
  /** A file's text by its blob SHA. */
  getBlob(sha: string): Promise<string>;
  /** The commit at the head of the default branch. */
  getDefaultHead(): Promise<string>;
}

/** What the forge said about its limits in its newest answer. Null until there is one. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch ms. */
  readonly resetsAt: number;
}

/** Where decree's own clone fetches from. The credential goes into the environment of one git call, never to disk. */
export interface GitAccess {
  readonly url: string;
  /** An `Authorization` header's value. */
  readonly authorization: string;
}

export interface Provider {
  readonly workItemReader: WorkProviderReader;
  readonly workItemWriter: WorkProviderWriter;
  readonly revisionReader: RevisionProviderReader;
  readonly revisionWriter: RevisionProviderWriter;
  readonly specReader: SpecProviderReader;
  rateLimit(): RateLimit | null;
  /** Fresh read access for the engine's own git. */
  gitAccess(): Promise<GitAccess>;
}

interface StartParams {
  /** Made by the engine: the name under which the run is cancelled, logged and found again. */
  readonly sessionID: string;
  readonly attempt: number;
  /** Replaces the model of the agent's definition. */
  readonly modelOverride?: string;
  readonly budgetUSD?: number;
}

export interface PlannerStartParams extends StartParams {
  readonly role: 'planner';
  readonly specPaths: readonly string[];
  /** The commit at which the specs were polled; blob SHAs by path. */
  readonly commitSHA: string;
  readonly blobSHAs: Readonly<Record<string, string>>;
}

export interface ImplementorStartParams extends StartParams {
  readonly role: 'implementor';
  readonly workItemID: string;
  readonly branchName: string;
  readonly start: RunStart;
  readonly repair: RepairContext | null;
}

export interface ReviewerStartParams extends StartParams {
  readonly role: 'reviewer';
  readonly workItemID: string;
  readonly revisionID: string;
  readonly headRef: string;
}

export type AgentStartParams = PlannerStartParams | ImplementorStartParams | ReviewerStartParams;

/** Why a run's `result` rejected; always this class. */
export type RunFailureKind = 'failed' | 'cancelled' | 'timed-out' | 'invalid-output' | 'empty-patch' | 'over-budget';

export class RunError extends Error {
  override readonly name = 'RunError';
  readonly kind: RunFailureKind;
  /** Where the unfinished work was saved in decree's clone, if there was any. */
  readonly savedRef: string | null;

  constructor(kind: RunFailureKind, message: string, options: { savedRef?: string | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.savedRef = options.savedRef ?? null;
  }
}

export interface AgentRunHandle {
  /** Human-readable text only. Ends when the session does, however it ends; never throws. One reader. */
  readonly output: AsyncIterable<string>;
  /** Settles once, after the workspace is gone. Rejects with RunError. */
  readonly result: Promise<AgentResult>;
  readonly logFilePath: string | null;
  /** What the run used; settled together with `result`, also on failure. Never rejects. */
  readonly usage: Promise<RunUsage>;
  /** The agent's process, if it has one of its own, named for good: for `takeOver`. */
  readonly process?: AgentProcess | null;
}

/** Stores a result. Resolves when it is durable; may reject. */
export type KeepResult = (result: AgentResult, usage: RunUsage) => Promise<void>;

export interface RuntimeAdapter {
  /**
   * Resolves when the agent is running. Rejects if the workspace, the context or the definition could not be made;
   * then nothing is left behind. A ProviderError says that the forge is why: the same start may succeed later.
   *
   * A result is given to `keep` before the workspace is removed, so that nothing that happens meanwhile can lose it; if
   * that rejects, the work is saved like that of a run that failed.
   */
  startAgent(params: AgentStartParams, keep?: KeepResult): Promise<AgentRunHandle>;
  /** Makes the handle's result reject with `cancelled`. Also works while `startAgent` is pending. Unknown: no-op. */
  cancelAgent(sessionID: string): void;
  /**
   * Ends what is left of a run that an earlier process started and did not end: its processes and its workspace. Returns
   * the ref under which its unfinished work is kept, or null if there was none. Idempotent. May reject. `process` is what
   * its handle named; whatever else has that id by now is left alone.
   */
  takeOver(sessionID: string, process?: AgentProcess | null): Promise<string | null>;
}

/** Time, passed in. */
export interface Clock {
  /** Epoch ms. The time of day: somebody may set it, forward and back. */
  now(): number;
  /** Ms that pass evenly whatever is done to the time of day: for durations. Default: `now`. */
  elapsed?(): number;
  /** Calls back once after `ms`; returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The part of pino that the engine uses: fields first, then a static message. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

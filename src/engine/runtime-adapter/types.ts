import type { ReviewHistory, Revision } from '../../domain/revision.ts';
import type { WorkItem } from '../../domain/work-item.ts';
import type {
  Clock,
  GitAccess,
  Logger,
  RevisionProviderReader,
  SpecProviderReader,
  WorkProviderReader,
} from '../ports.ts';

export type {
  AgentRunHandle,
  AgentStartParams,
  ImplementorStartParams,
  PlannerStartParams,
  ReviewerStartParams,
  RuntimeAdapter,
} from '../ports.ts';

/** What any runtime adapter gets from the engine. It reads; it never writes to the forge. */
export interface RuntimeAdapterDeps {
  readonly workItemReader: WorkProviderReader;
  readonly revisionReader: RevisionProviderReader;
  readonly specReader: SpecProviderReader;
  /** Fresh read access for decree's own clone. */
  readonly gitAccess: () => Promise<GitAccess>;
  readonly getState: () => RuntimeState;
  readonly getReviewHistory: (revisionID: string) => Promise<ReviewHistory>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The part of the engine's state that prompts are made from. */
export interface RuntimeState {
  readonly workItems: Lookup<WorkItem>;
  readonly revisions: Lookup<Revision>;
  /** Spec path -> blob SHA of what was last planned. */
  readonly lastPlannedSHAs: Lookup<string>;
}

/** What a Map and the engine's persistent map have in common. */
interface Lookup<V> {
  get(key: string): V | undefined;
  values(): Iterable<V>;
}

/** Settings that every adapter understands; each adds its own. */
export interface RuntimeAdapterConfig {
  /** Seconds. Setting up may take as long again. */
  readonly maxAgentDuration: number;
  readonly logging: {
    readonly agentSessions: boolean;
    /** Absolute. */
    readonly logsDir: string;
  };
  /** Absolute path of the user's checkout. decree makes `.decree` and `.worktrees` in it and touches nothing else. */
  readonly repoRoot: string;
  readonly defaultBranch: string;
  /** Run in each new worktree. Default: found by the lockfile. `false`: nothing. */
  readonly setupCommand?: string | false | undefined;
  /** Keeps an implementor's branch in decree's clone after its run. Default false. */
  readonly keepBranches?: boolean | undefined;
  /** `revision` (default): a worktree at the head under review. `root`: the user's checkout. */
  readonly reviewerWorkspace?: 'revision' | 'root' | undefined;
  /** `commit` (default): a worktree at the commit that was polled. `root`: the user's checkout. */
  readonly plannerWorkspace?: 'commit' | 'root' | undefined;
  /** Environment of everything that runs on an agent's behalf. Default: guards/agent-environment. */
  readonly agentEnvironment?: (() => Readonly<Record<string, string>>) | undefined;
}

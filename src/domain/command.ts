import type { PlannedWorkItem, PlannedWorkItemUpdate } from './agent-result.ts';
import type { RunSubject } from './run.ts';
import type { WorkItemStatus } from './work-item.ts';

/**
 * Why the engine moves a status. `recovery` and `completion` show in the public event as flags; `red-ci` and
 * `conflict` are counted as rounds.
 */
export type TransitionCause = 'workflow' | 'recovery' | 'completion' | 'red-ci' | 'conflict';

/** What handlers ask for. Plain data, kept in the journal: everything needed to execute it after a restart. */
export type Command =
  | {
      readonly type: 'startRun';
      readonly sessionID: string;
      readonly subject: RunSubject;
      readonly attempt: number;
      readonly model: string | null;
    }
  | { readonly type: 'cancelRun'; readonly sessionID: string; readonly reason: string }
  | { readonly type: 'commentOnItem'; readonly workItemID: string; readonly body: string }
  | {
      readonly type: 'transitionStatus';
      readonly workItemID: string;
      readonly to: WorkItemStatus;
      readonly cause: TransitionCause;
      /** Said to people on the item, when the new status needs words. */
      readonly comment: string | null;
    }
  | {
      readonly type: 'publishRevision';
      readonly workItemID: string;
      readonly sessionID: string;
      readonly branchName: string;
    }
  | {
      readonly type: 'postReview';
      readonly workItemID: string;
      readonly sessionID: string;
      readonly revisionID: string;
    }
  | {
      readonly type: 'mergeRevision';
      readonly workItemID: string;
      readonly revisionID: string;
      readonly headSHA: string;
    }
  | { readonly type: 'createWorkItem'; readonly sessionID: string; readonly item: PlannedWorkItem }
  | { readonly type: 'updateWorkItem'; readonly sessionID: string; readonly update: PlannedWorkItemUpdate }
  | { readonly type: 'closeWorkItem'; readonly sessionID: string; readonly workItemID: string };

/** A command that passed the guards. `key` is `<sequence number of its event>.<position>`. */
export interface AdmittedCommand {
  readonly key: string;
  readonly lane: string;
  readonly command: Command;
}

export const PLANNING_LANE = 'planning';

/** A command in words for people: `mergeRevision of #7`. */
export function describeCommand(command: Command): string {
  const lane = laneOf(command);
  if (lane === null) return command.type;
  return `${command.type} of ${lane === PLANNING_LANE ? lane : `#${lane}`}`;
}

/** Commands of one lane run one after the other; lanes run side by side. Null: not in any lane. */
export function laneOf(command: Command): string | null {
  switch (command.type) {
    case 'cancelRun':
      return null;
    case 'startRun':
      return command.subject.role === 'planner' ? PLANNING_LANE : command.subject.workItemID;
    case 'createWorkItem':
      return PLANNING_LANE;
    case 'updateWorkItem':
      return command.update.workItemID;
    case 'closeWorkItem':
    case 'commentOnItem':
    case 'transitionStatus':
    case 'publishRevision':
    case 'postReview':
    case 'mergeRevision':
      return command.workItemID;
  }
}

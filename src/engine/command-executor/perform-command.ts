import type { Command } from '../../domain/command.ts';
import { ProviderError } from '../../domain/provider-error.ts';
import type { OutcomeEvent, RunEvent } from '../../domain/event.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Journal } from '../journal-port.ts';
import type { Provider } from '../ports.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import type { StepRunner } from './create-step-runner.ts';
import { Superseded } from './create-step-runner.ts';
import { whyObsolete } from './guards.ts';

export interface PerformDeps {
  readonly provider: Provider;
  /** Makes what we leave on the forge unique to this journal: command keys begin anew with a new one. */
  readonly journalID: string;
  readonly journal: Pick<Journal, 'loadResult'>;
  readonly state: () => EngineState;
  /** Publishes something that happened before the command is over. Resolves when it is durable. */
  readonly announce: (body: OutcomeEvent | RunEvent) => Promise<void>;
  /** Starts the agent; reports `runStarted` or `runFailed`, which settle the command. Rejects if the forge is away. */
  readonly startAgent: (key: string, command: Extract<Command, { type: 'startRun' }>) => Promise<void>;
  /** Ends the agent, or keeps it from starting. The run's own `runFailed` follows. */
  readonly cancelAgent: (sessionID: string, reason: string) => void;
  /** The run is over, or will not be started any more. */
  readonly forgetAgent: (sessionID: string) => void;
}

/** The step after which a work item may say that it is in progress. */
export const MARK_ITEM = 'mark in progress';
/** The step after which an agent may be at work. */
export const START_AGENT = 'start agent';

/** Does what a command says, call by call, and returns what came of it; null if somebody else reports it. */
export async function performCommand(
  key: string,
  command: Command,
  step: StepRunner,
  deps: PerformDeps,
): Promise<OutcomeEvent | null> {
  const { provider } = deps;
  const marker = `${deps.journalID}-${key}`;
  switch (command.type) {
    case 'startRun': {
      if (command.subject.role === 'implementor') {
        const { workItemID } = command.subject;
        await step(MARK_ITEM, {
          run: () => provider.workItemWriter.transitionStatus(workItemID, 'in-progress'),
        });
        await deps.announce(markedInProgress(workItemID));
      }
      // Begun before the agent can cost anything: a restart that does not find it knows that nothing was lost.
      await step(START_AGENT, {
        run: async () => {
          // The run may have been ended while its item was marked, while it waited in its lane, or this very moment.
          const reason = whyObsolete(deps.state(), command);
          if (reason !== null) throw new Superseded(reason);
          await deps.startAgent(key, command);
        },
        isUndoneByRefusal: true,
      });
      return null;
    }
    case 'cancelRun': {
      const { sessionID, reason } = command;
      // In any case, since a run that waits may be given its slot at this very moment.
      deps.cancelAgent(sessionID, reason);
      if (deps.state().runs.get(sessionID)?.status === 'waiting') {
        await deps.announce(cancelledWhileWaiting(sessionID, reason));
      }
      if (!deps.state().runs.has(sessionID)) deps.forgetAgent(sessionID);
      return { type: 'runCancelled', sessionID, settles: key };
    }
    case 'transitionStatus': {
      const { workItemID, to, cause, comment } = command;
      // Words first: once the status is written, a restart would take the command for done. A forge that will not have
      // the words gets the status all the same.
      if (comment !== null) await sayOnItem(deps, step, workItemID, comment, marker).catch(unlessRefused);
      await step('set status', { run: () => provider.workItemWriter.transitionStatus(workItemID, to) });
      return { type: 'statusWritten', workItemID, to, cause, settles: key };
    }
    case 'commentOnItem':
      await sayOnItem(deps, step, command.workItemID, command.body, marker);
      return { type: 'commentPosted', workItemID: command.workItemID, settles: key };
    case 'publishRevision': {
      const { workItemID, sessionID, branchName } = command;
      const result = (await deps.journal.loadResult(sessionID))?.result;
      if (result?.role !== 'implementor' || result.patch === null)
        throw new Superseded('its result is not in the journal');
      const { patch, baseSHA, treeSHA, mergeSHA } = result;
      const merge = mergeSHA === undefined ? {} : { mergeSHA };
      const exact = baseSHA === null || treeSHA === null ? {} : { baseSHA, treeSHA, ...merge };
      const subject = deps.state().lastRuns.get(workItemID)?.subject;
      const isRevised = subject?.role === 'implementor' && subject.start.from === 'revision';
      const options = { key: marker, ...exact, isRevised };
      const revision = await step('create revision', {
        run: () => provider.revisionWriter.createFromPatch(workItemID, patch, branchName, options),
      });
      return { type: 'revisionPublished', workItemID, sessionID, revision, settles: key };
    }
    case 'postReview': {
      const { workItemID, sessionID, revisionID } = command;
      const result = (await deps.journal.loadResult(sessionID))?.result;
      if (result?.role !== 'reviewer') throw new Superseded('its result is not in the journal');
      const { review } = result;
      const reviewID = await step('post review', {
        run: () => provider.revisionWriter.postReview(revisionID, review, { key: marker }),
        find: () => provider.revisionWriter.findReview(revisionID, marker),
      });
      return {
        type: 'reviewPosted',
        workItemID,
        sessionID,
        revisionID,
        reviewID,
        verdict: review.verdict,
        settles: key,
      };
    }
    case 'mergeRevision': {
      const { workItemID, revisionID, headSHA } = command;
      await step('merge', { run: () => provider.revisionWriter.mergeRevision(revisionID, headSHA) });
      return { type: 'revisionMerged', workItemID, revisionID, settles: key };
    }
    case 'createWorkItem': {
      const { sessionID, item } = command;
      const blockedBy = blockersOf(deps.state().plans.get(sessionID), item.blockedBy);
      const created = await step('create work item', {
        run: () =>
          provider.workItemWriter.createWorkItem(item.title, item.body, unreserved(item.labels), blockedBy, {
            key: marker,
          }),
        find: () => provider.workItemWriter.findWorkItem(marker),
      });
      return { type: 'workItemCreated', sessionID, tempID: item.tempID, item: created, settles: key };
    }
    case 'updateWorkItem': {
      const { workItemID, body, labels } = command.update;
      await step('update work item', {
        run: () => provider.workItemWriter.updateWorkItem(workItemID, body, labels && unreserved(labels)),
      });
      return { type: 'workItemUpdated', sessionID: command.sessionID, workItemID, settles: key };
    }
    case 'closeWorkItem': {
      const { sessionID, workItemID } = command;
      await step('close work item', { run: () => provider.workItemWriter.closeWorkItem(workItemID, 'not-planned') });
      return { type: 'workItemClosed', sessionID, workItemID, settles: key };
    }
  }
}

function sayOnItem(
  deps: PerformDeps,
  step: StepRunner,
  workItemID: string,
  body: string,
  marker: string,
): Promise<string> {
  const { workItemWriter } = deps.provider;
  return step('comment', {
    run: () => workItemWriter.postWorkItemComment(workItemID, body, { key: marker }),
    find: () => workItemWriter.findWorkItemComment(workItemID, marker),
  });
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
}

export function markedInProgress(workItemID: string): OutcomeEvent {
  return { type: 'statusWritten', workItemID, to: 'in-progress', cause: 'workflow', settles: null };
}

/** A run without a slot has no agent that could report its end. */
function cancelledWhileWaiting(sessionID: string, error: string): RunEvent {
  return { type: 'runFailed', sessionID, reason: 'cancelled', error, savedRef: null, usage: null, settles: null };
}

/** Items of the same plan are named by tempID; by now those have ids. */
function blockersOf(plan: Plan | undefined, blockedBy: readonly string[]): string[] {
  return blockedBy.map((id) => plan?.created[id] ?? id);
}

/** Status and task labels are the engine's: a planner cannot set them. */
function unreserved(labels: readonly string[]): string[] {
  return labels.filter((label) => !/^(status|task):/i.test(label));
}

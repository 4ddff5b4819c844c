import type { EventBody } from '../domain/event.ts';
import type { AgentProcess, Run } from '../domain/run.ts';
import { conclusionOf } from './agent-manager/create-agent-manager.ts';
import { START_AGENT } from './command-executor/perform-command.ts';
import type { Journal, JournalContents, OpenCommand } from './journal-port.ts';
import type { Logger } from './ports.ts';
import type { EngineState } from './state-store/engine-state.ts';
import { isStranded } from './state-store/stranded.ts';

export interface ResumeDeps {
  readonly contents: JournalContents;
  readonly journal: Pick<Journal, 'loadResult'>;
  readonly state: () => EngineState;
  readonly enqueue: (body: EventBody) => Promise<void>;
  /** Ends what is left of an interrupted run; returns where its work is kept. */
  readonly takeOver: (sessionID: string, process: AgentProcess | null) => Promise<string | null>;
  readonly logger: Logger;
  readonly resume: (commands: readonly OpenCommand[]) => void;
}

/**
 * Takes up what the last process left, after everything was read from the forge and before any agent is started:
 * open commands go on in lane order from their last step; a run with a stored result goes on as if it had just
 * ended; a run without one was interrupted. Returns how many items had to be recovered.
 */
export async function resumeWork(deps: ResumeDeps): Promise<number> {
  const { contents, journal, state, enqueue, resume } = deps;
  const starts = new Map<string, OpenCommand>();
  for (const open of contents.openCommands) {
    if (open.command.type === 'startRun') starts.set(open.command.sessionID, open);
  }
  resume(contents.openCommands.filter(({ command }) => command.type !== 'startRun'));

  let interrupted = 0;
  for (const run of [...state().runs.values()].sort(byAge)) {
    if (run.status === 'waiting') continue;
    const stored = await journal.loadResult(run.sessionID);
    const { sessionID } = run;
    const start = starts.get(sessionID);
    const settles = start?.key ?? null;
    // Also of a run with a result: it is stored before its folder is removed.
    const savedRef = await takeOver(deps, run);
    if (stored === null) {
      interrupted++;
      const isBegun = start === undefined || start.steps.some(({ name }) => name === START_AGENT);
      await enqueue({
        type: 'runFailed',
        sessionID,
        // An agent that never ran cost nothing and failed at nothing.
        reason: isBegun ? 'lost' : 'interrupted',
        error: `the engine ended ${isBegun ? 'while the agent was running' : 'before the agent was started'}`,
        savedRef,
        usage: null,
        settles,
      });
      continue;
    }
    if (settles !== null) await enqueue({ type: 'runStarted', sessionID, logFilePath: run.logFilePath, settles });
    await enqueue({ type: 'runCompleted', sessionID, conclusion: conclusionOf(stored.result), usage: stored.usage });
  }
  for (const { key, command } of starts.values()) {
    if (state().openCommands.has(key)) await enqueue(endedMeanwhile(key, command));
  }
  return interrupted + strandedItems(state());
}

/** The run was cancelled while its start was on its way, and nobody is left who could say so. */
function endedMeanwhile(settles: string, command: OpenCommand['command']): EventBody {
  return { type: 'commandSuperseded', command, reason: 'the run was ended before it started', settles };
}

/** Not knowing what is left of a run is no reason not to go on: whatever stands in the way of the next one will say so. */
async function takeOver({ takeOver: end, logger }: ResumeDeps, run: Run): Promise<string | null> {
  const { sessionID, process = null } = run;
  try {
    return await end(sessionID, process);
  } catch (error) {
    logger.error({ err: error, sessionID }, 'what is left of an interrupted run could not be cleared');
    return null;
  }
}

/** Items in progress without a run, for example after the journal was lost: the end of the start-up recovers them. */
function strandedItems(state: EngineState): number {
  return [...state.workItems.values()].filter((item) => isStranded(state, item)).length;
}

function byAge(a: Run, b: Run): number {
  return a.requestedAt - b.requestedAt || (a.sessionID < b.sessionID ? -1 : 1);
}

import type { WorkItem } from '../../domain/work-item.ts';
import { isDispatchable } from '../../domain/status-rules.ts';
import { workItemOf } from '../../domain/run.ts';
import type { Run } from '../../domain/run.ts';
import type { Engine, EngineCommand, EngineSnapshot } from '../../engine/engine-types.ts';
import type { Action, EngineAnswer } from './protocol.ts';

/** Asks the engine to act on an item, and waits a moment to see whether it does. */
export async function performAction(engine: Engine, action: Action, number: number): Promise<EngineAnswer> {
  const id = String(number);
  const before = engine.getSnapshot();
  const obstacle = obstacleTo(action, id, before);
  if (obstacle !== null) return { answer: 'refused', ...obstacle };

  const { command, patienceMs, isDone, done } = ACTIONS[action];
  const known = noticesAbout(id, before).length;
  const newNotice = (snapshot: EngineSnapshot) => noticesAbout(id, snapshot)[known];
  engine.send({ command, issueNumber: number });
  await until(engine, patienceMs, (now) => isDone(now, id) || newNotice(now) !== undefined);
  const after = engine.getSnapshot();
  if (isDone(after, id)) return { answer: 'done', text: done(number) };
  return {
    answer: 'refused',
    text: newNotice(after) ?? `The engine was asked to ${action} #${number}, and nothing has happened so far.`,
    advice: 'Its log, .decree/decree.log, says more.',
  };
}

/** What the engine says about requests and commands for an item, the newest last. */
function noticesAbout(id: string, { notices }: EngineSnapshot): string[] {
  return notices.filter((notice) => new RegExp(`#${id}\\b`).test(notice));
}

interface ActionRule {
  readonly command: Extract<EngineCommand, { issueNumber: number }>['command'];
  readonly patienceMs: number;
  readonly isDone: (snapshot: EngineSnapshot, id: string) => boolean;
  readonly done: (number: number) => string;
}

const ACTIONS: Readonly<Record<Action, ActionRule>> = {
  dispatch: {
    command: 'dispatchImplementor',
    patienceMs: 5_000,
    isDone: (snapshot, id) => runOf(snapshot, id)?.subject.role === 'implementor',
    done: (number) => `An implementor is on its way to #${number}.`,
  },
  review: {
    command: 'dispatchReviewer',
    patienceMs: 5_000,
    isDone: (snapshot, id) => runOf(snapshot, id)?.subject.role === 'reviewer',
    done: (number) => `A reviewer is on its way to #${number}.`,
  },
  cancel: {
    command: 'cancelAgent',
    patienceMs: 30_000,
    isDone: (snapshot, id) => runOf(snapshot, id) === undefined && !isRetried(snapshot, id),
    done: (number) => `Work on #${number} was cancelled. What the agent had done is kept: see \`decree runs\`.`,
  },
  merge: {
    command: 'mergeRevision',
    patienceMs: 30_000,
    isDone: (snapshot, id) => (itemOf(snapshot, id)?.linkedRevision ?? null) === null,
    done: (number) => `The pull request of #${number} is merged.`,
  },
};

type Obstacle = Pick<Extract<EngineAnswer, { answer: 'refused' }>, 'text' | 'advice'>;

/** Why the action cannot work, as far as it can be told beforehand. */
function obstacleTo(action: Action, id: string, snapshot: EngineSnapshot): Obstacle | null {
  const item = itemOf(snapshot, id);
  if (item === undefined) {
    return { text: `There is no open work item #${id}.`, advice: '`decree status` lists the work items.' };
  }
  const run = runOf(snapshot, id);
  if (action === 'cancel') {
    return run === undefined && !isRetried(snapshot, id)
      ? { text: `No agent works on #${id}.`, advice: '`decree status` lists the agents.' }
      : null;
  }
  if (run !== undefined) {
    const advice = `Wait for it, or end it with \`decree cancel ${id}\`.`;
    return { text: `The ${run.subject.role} already works on #${id}.`, advice };
  }
  if (action === 'dispatch') return obstacleToDispatch(item, snapshot);
  if (item.linkedRevision === null) {
    return { text: `#${id} has no open pull request.`, advice: `\`decree dispatch ${id}\` has one made.` };
  }
  return action === 'merge' ? obstacleToMerge(item, snapshot) : null;
}

function obstacleToDispatch(item: WorkItem, snapshot: EngineSnapshot): Obstacle | null {
  if (!isDispatchable(item.status)) {
    const advice = 'Set its label to `status:unblocked` on the forge if an agent shall try (again).';
    return { text: `#${item.id} is ${item.status}.`, advice };
  }
  const open = item.blockedBy.filter((blocker) => itemOf(snapshot, blocker) !== undefined);
  if (item.status !== 'pending' || open.length === 0) return null;
  const names = open.map((blocker) => `#${blocker}`).join(', ');
  return { text: `#${item.id} waits for ${names}.`, advice: 'It becomes ready when those are merged.' };
}

function obstacleToMerge(item: WorkItem, snapshot: EngineSnapshot): Obstacle | null {
  if (item.status !== 'approved') {
    const advice = 'Only approved work is merged from here; on the forge you can merge whatever you like.';
    return { text: `#${item.id} is ${item.status}, not approved.`, advice };
  }
  const ci = snapshot.revisions.find(({ id }) => id === item.linkedRevision)?.pipeline?.status;
  if (ci === 'failure') return { text: `CI of #${item.id} failed.`, advice: 'Have it repaired first.' };
  return null;
}

function itemOf(snapshot: EngineSnapshot, id: string): WorkItem | undefined {
  return snapshot.workItems.find((item) => item.id === id);
}

function runOf(snapshot: EngineSnapshot, id: string): Run | undefined {
  return snapshot.runs.find((run) => workItemOf(run.subject) === id);
}

function isRetried({ retries }: EngineSnapshot, id: string): boolean {
  return retries.some(({ workItemID }) => workItemID === id);
}

/** Resolves when the condition is true, or when the time is up. */
async function until(
  engine: Engine,
  patienceMs: number,
  condition: (snapshot: EngineSnapshot) => boolean,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => condition(engine.getSnapshot()) && resolve();
  const unsubscribe = engine.subscribe(check);
  const timer = setTimeout(resolve, patienceMs);
  check();
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}

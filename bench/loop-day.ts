import type { AdmittedCommand } from '../src/domain/command.ts';
import type { Event, EventBody } from '../src/domain/event.ts';
import type { PipelineResult, Revision } from '../src/domain/revision.ts';
import type { RunUsage } from '../src/domain/run.ts';
import { workItemOf } from '../src/domain/run.ts';
import type { WorkItem, WorkItemStatus } from '../src/domain/work-item.ts';
import type { EngineState } from '../src/engine/state-store/engine-state.ts';
import type { Random } from '../test/guards/random.ts';
import { createRandom } from '../test/guards/random.ts';
import { sampleWorkItem } from '../test/world/sample-work-item.ts';

/** A repository at work: people, CI and agents, played without any of them. The same for the same number of items. */
export interface Day {
  /** What happens next. */
  next(state: EngineState): EventBody;
  /** To be told what the engine decided: its commands are answered by later events. */
  answer(commands: readonly AdmittedCommand[], state: EngineState): void;
}

/** Everything that is there in the morning: a tenth is ready, a tenth in review, half of the rest waits for others. */
export function morning(items: number): EventBody[] {
  const events: EventBody[] = [];
  for (let number = 1; number <= items; number++) {
    const status = STATUSES[number % STATUSES.length] ?? 'pending';
    if (status === 'review' || status === 'approved')
      events.push({ type: 'revisionSeen', revision: revision(number, 0) });
    events.push({ type: 'workItemSeen', item: workItem(number, { status }) });
  }
  return [...events, { type: 'startupFinished' }];
}

const STATUSES: readonly WorkItemStatus[] = [
  'ready',
  'pending',
  'review',
  'pending',
  'ready',
  'approved',
  'pending',
  'needs-refinement',
  'needs-changes',
  'blocked',
];

export function createDay(items: number): Day {
  const random = createRandom(items);
  /** Outcomes of commands and what follows from them by itself, oldest first. */
  const due: EventBody[] = [];
  const running: string[] = [];
  let last = items;
  let edits = 0;

  function next(state: EngineState): EventBody {
    const answer = due.shift();
    if (answer !== undefined) return answer;
    // What is merged makes room for what is new.
    if (state.workItems.size < items) return { type: 'workItemSeen', item: workItem(++last, { status: 'ready' }) };
    const turn = random.below(100);
    if (turn < 40 && running.length > 0) return endOfRun(state);
    if (turn < 65) return ciChange(state);
    if (turn < 75) return request(state);
    if (turn < 80) return pause(state);
    return edit(state);
  }

  function endOfRun(state: EngineState): EventBody {
    const index = random.below(running.length);
    const sessionID = running.splice(index, 1)[0] ?? '';
    const subject = state.runs.get(sessionID)?.subject;
    if (random.below(10) === 0 || subject === undefined || subject.role === 'planner') {
      const end = { reason: 'failed', error: 'It went wrong.', savedRef: null, usage: USAGE, settles: null } as const;
      return { type: 'runFailed', sessionID, ...end };
    }
    const verdict = random.below(5) === 0 ? 'needs-changes' : 'approve';
    return {
      type: 'runCompleted',
      sessionID,
      usage: USAGE,
      conclusion:
        subject.role === 'implementor'
          ? { role: 'implementor', outcome: 'completed', summary: 'Done, with tests.' }
          : { role: 'reviewer', review: { verdict, summary: 'Read it all.', comments: [] } },
    };
  }

  function ciChange(state: EngineState): EventBody {
    const number = someItem(state);
    const [known] = state.revisionsOf.get(String(number)) ?? [];
    const before = known === undefined ? undefined : state.revisions.get(known);
    if (before === undefined) return edit(state);
    const settled = random.pick(['success', 'success', 'failure'] as const);
    const status = before.pipeline?.status === 'success' ? 'pending' : settled;
    const pipeline: PipelineResult = { status, url: null, reason: null, checkCount: 3 };
    return { type: 'revisionSeen', revision: { ...before, pipeline, isMergeable: random.below(20) > 0 } };
  }

  function request(state: EngineState): EventBody {
    const workItemID = String(someItem(state));
    const item = state.workItems.get(workItemID);
    if (item?.status === 'approved') return { type: 'mergeRequested', workItemID };
    if (item?.status === 'review') return { type: 'reviewRequested', workItemID };
    return { type: random.below(4) === 0 ? 'cancelRequested' : 'implementationRequested', workItemID };
  }

  function pause(state: EngineState): EventBody {
    const effort = String(someItem(state));
    return state.efforts.get(effort)?.retry ? { type: 'retryDue', effort } : edit(state);
  }

  function edit(state: EngineState): EventBody {
    const number = someItem(state);
    const before = state.workItems.get(String(number)) ?? workItem(number, { status: 'ready' });
    return { type: 'workItemSeen', item: { ...before, contentDigest: `edit ${++edits}` } };
  }

  /** One that is still there; the old ones are gone sooner or later. */
  function someItem(state: EngineState): number {
    for (let tries = 0; tries < 20; tries++) {
      const number = 1 + random.below(last);
      if (state.workItems.has(String(number))) return number;
    }
    return last;
  }

  return {
    next,
    answer: (commands, state) => {
      for (const admitted of commands) due.push(...outcomesOf(admitted, state, random, running));
    },
  };
}

/** What the executor would report, at once and without a forge. */
function outcomesOf(
  { key: settles, command }: AdmittedCommand,
  state: EngineState,
  random: Random,
  running: string[],
): EventBody[] {
  switch (command.type) {
    case 'startRun': {
      const { sessionID, subject } = command;
      running.push(sessionID);
      const started: EventBody = { type: 'runStarted', sessionID, logFilePath: null, settles };
      const workItemID = workItemOf(subject);
      if (workItemID === null || subject.role === 'reviewer') return [started];
      return [{ type: 'statusWritten', workItemID, to: 'in-progress', cause: 'workflow', settles: null }, started];
    }
    case 'cancelRun': {
      const { sessionID } = command;
      const index = running.indexOf(sessionID);
      if (index >= 0) running.splice(index, 1);
      const end = { error: 'Cancelled.', savedRef: null, usage: null, settles: null };
      return [
        { type: 'runFailed', sessionID, reason: 'cancelled', ...end },
        { type: 'runCancelled', sessionID, settles },
      ];
    }
    case 'transitionStatus': {
      const { workItemID, to, cause } = command;
      const written: EventBody = { type: 'statusWritten', workItemID, to, cause, settles };
      return to === 'approved' ? [written, ...merged(workItemID, state)] : [written];
    }
    case 'publishRevision': {
      const { workItemID, sessionID } = command;
      const [known] = state.revisionsOf.get(workItemID) ?? [];
      const published = { ...revision(Number(workItemID), random.below(1e9)), ...(known && { id: known }) };
      return [{ type: 'revisionPublished', workItemID, sessionID, revision: published, settles }];
    }
    case 'postReview': {
      const verdict = random.below(5) === 0 ? 'needs-changes' : 'approve';
      return [{ ...command, type: 'reviewPosted', reviewID: '1', verdict, settles }];
    }
    case 'mergeRevision': {
      const { workItemID, revisionID } = command;
      return [
        { type: 'revisionMerged', workItemID, revisionID, settles },
        { type: 'revisionGone', revisionID, state: 'merged', workItemID },
      ];
    }
    case 'commentOnItem':
      return [{ type: 'commentPosted', workItemID: command.workItemID, settles }];
    case 'createWorkItem':
    case 'updateWorkItem':
    case 'closeWorkItem':
      throw new Error('Nobody plans on this day.');
  }
}

/** People merge what is approved, when CI is green. */
function merged(workItemID: string, state: EngineState): EventBody[] {
  const [known = ''] = state.revisionsOf.get(workItemID) ?? [];
  const open = state.revisions.get(known);
  if (open === undefined) return [];
  const pipeline: PipelineResult = { status: 'success', url: null, reason: null, checkCount: 3 };
  return [
    { type: 'revisionSeen', revision: { ...open, pipeline, isMergeable: true } },
    { type: 'mergeRequested', workItemID },
  ];
}

/** Every second one waits for an earlier one; every fiftieth is one that many wait for. */
export function workItem(number: number, details: Partial<WorkItem>): WorkItem {
  const blocker = number % 4 === 1 ? number - (number % 50) : number - 1;
  return sampleWorkItem({
    id: String(number),
    title: `Teach the importer to read files of kind ${number}`,
    status: 'pending',
    priority: number % 7 === 0 ? 'high' : number % 3 === 0 ? 'low' : 'medium',
    complexity: number % 2 === 0 ? 'low' : 'medium',
    blockedBy: number % 2 === 1 && blocker > 0 ? [String(blocker)] : [],
    contentDigest: `digest ${number}`,
    ...details,
  });
}

export function revision(workItem: number, head: number): Revision {
  return {
    id: String(1_000_000 + workItem),
    title: `Teach the importer to read files of kind ${workItem}`,
    url: `https://example.com/acme/importer/pull/${1_000_000 + workItem}`,
    headSHA: head.toString(16).padStart(40, '0'),
    headRef: `issue-${workItem}-1767225600000`,
    author: 'decree[bot]',
    body: `Closes #${workItem}`,
    isDraft: false,
    state: 'open',
    workItemID: String(workItem),
    pipeline: { status: 'success', url: null, reason: null, checkCount: 3 },
    reviewID: null,
    isMergeable: true,
  };
}

const USAGE: RunUsage = {
  model: 'sonnet',
  turns: 12,
  inputTokens: 90_000,
  outputTokens: 8_000,
  costUSD: 0.4,
  durationMs: 200_000,
};

/** The moment that the day begins, and how far its events are apart. */
export function at(seq: number): Event['at'] {
  return Date.UTC(2026, 0, 1) + seq * 20;
}

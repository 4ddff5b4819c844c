import type { Event, EventBody } from '../domain/event.ts';
import { describeCommand } from '../domain/command.ts';
import { PLANNING } from '../domain/effort.ts';
import type { Decision } from './event-loop/create-event-loop.ts';
import type { EngineState } from './state-store/engine-state.ts';
import { effortOf } from './state-store/engine-state.ts';

/** How long an answer stays among the notices, and how many are kept. */
const SHOWN_MS = 60_000;
const KEPT = 10;

/** Answers to people: what became of a request that was not carried out, and of a command that failed. */
export interface Answers {
  note(event: Event, before: EngineState, decision: Decision): void;
  /** In words, the newest last. */
  recent(now: number): string[];
}

export function createAnswers(): Answers {
  let answers: { readonly at: number; readonly text: string }[] = [];
  return {
    note: ({ at, body }, before, decision) => {
      const text = body.type === 'commandFailed' ? describeFailure(body) : describeRefusal(body, before, decision);
      if (text !== null) answers = [...answers, { at, text }].slice(-KEPT);
    },
    recent: (now) => answers.filter(({ at }) => now - at < SHOWN_MS).map(({ text }) => text),
  };
}

function describeFailure({ command, failure }: Extract<EventBody, { type: 'commandFailed' }>): string {
  return `${describeCommand(command)} failed: ${failure.message}`;
}

function describeRefusal(body: EventBody, before: EngineState, { commands, refused, after }: Decision): string | null {
  const request = nameOf(body);
  if (request === null || commands.length > 0) return null;
  const [name, id] = request;
  // A run without a free slot is no command yet, but it is on its way; and a pause that was cancelled needs none.
  const isWaiting = after.runs.get(after.currentRuns.get(id) ?? '')?.status === 'waiting';
  const isCancelling = body.type === 'cancelRequested' || body.type === 'plannerCancelRequested';
  const isPauseOver = effortOf(before, id).retry !== null && effortOf(after, id).isHeld;
  if ((isWaiting && !isCancelling) || isPauseOver) return null;
  return `${name}: refused, ${refused[0]?.reason ?? 'there is nothing that it could apply to'}.`;
}

function nameOf(body: EventBody): [name: string, effort: string] | null {
  switch (body.type) {
    case 'implementationRequested':
      return [`dispatch of #${body.workItemID}`, body.workItemID];
    case 'reviewRequested':
      return [`review of #${body.workItemID}`, body.workItemID];
    case 'cancelRequested':
      return [`cancelling #${body.workItemID}`, body.workItemID];
    case 'plannerCancelRequested':
      return ['cancelling the planner', PLANNING];
    case 'mergeRequested':
      return [`merge of #${body.workItemID}`, body.workItemID];
    default:
      return null;
  }
}

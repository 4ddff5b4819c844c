import type { Event, EventBody } from '../domain/event.ts';
import type { Decision } from './event-loop/create-event-loop.ts';

/** How long an answer stays among the notices, and how many are kept. */
const SHOWN_MS = 30_000;
const KEPT = 10;

/** Answers to people whose requests were not carried out: a refusal that nobody hears of looks like a broken key. */
export interface Answers {
  note(event: Event, decision: Decision): void;
  /** In words, the newest last. */
  recent(now: number): string[];
}

export function createAnswers(): Answers {
  let answers: { readonly at: number; readonly text: string }[] = [];
  return {
    note: ({ at, body }, { commands, refused, after }) => {
      const request = nameOf(body);
      // A run without a free slot is no command yet, but it is on its way.
      const isGranted = commands.length > 0 || ('workItemID' in body && isWaiting(body.workItemID, after));
      if (request === null || isGranted) return;
      const reason = refused[0]?.reason ?? 'there is nothing that it could apply to';
      answers = [...answers, { at, text: `${request}: refused, ${reason}.` }].slice(-KEPT);
    },
    recent: (now) => answers.filter(({ at }) => now - at < SHOWN_MS).map(({ text }) => text),
  };
}

function isWaiting(workItemID: string, { currentRuns, waiting }: Decision['after']): boolean {
  return waiting.has(currentRuns.get(workItemID) ?? '');
}

function nameOf(body: EventBody): string | null {
  switch (body.type) {
    case 'implementationRequested':
      return `dispatch of #${body.workItemID}`;
    case 'reviewRequested':
      return `review of #${body.workItemID}`;
    case 'cancelRequested':
      return `cancelling #${body.workItemID}`;
    case 'plannerCancelRequested':
      return 'cancelling the planner';
    case 'mergeRequested':
      return `merge of #${body.workItemID}`;
    default:
      return null;
  }
}

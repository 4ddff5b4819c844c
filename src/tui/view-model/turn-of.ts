import type { Run } from '../../domain/run.ts';
import type { EngineSnapshot } from '../../engine/engine-types.ts';
import { formatDuration } from './format-amounts.ts';
import type { Facts, ItemFacts } from './item-facts.ts';
import type { Tone } from './line.ts';

/** Whose turn it is, and what the next step is. The symbol alone tells the kinds apart; the tone only helps. */
export interface Turn {
  readonly whose: 'you' | 'agents';
  readonly symbol: string;
  readonly tone: Tone;
  readonly step: string;
}

/** An item either needs a person, or it is in the hands of agents (or of the items that it waits for). */
export function turnOf(facts: Facts, now: number, dispatch: EngineSnapshot['dispatch']): Turn {
  if (facts.run !== null) return turnOfRun(facts.run, now);
  if (facts.retryAt !== null) return agents('↻', 'warn', nextTry(facts.retryAt, now));
  if (facts.item === null) return you('✗', 'bad', 'see why planning failed');
  return turnWithoutRun(facts, dispatch);
}

/** When the next attempt begins. */
export function nextTry(at: number, now: number): string {
  return at <= now ? 'tries again now' : `tries again in ${formatDuration(at - now)}`;
}

function turnOfRun(run: Run, now: number): Turn {
  const { role } = run.subject;
  if (run.status === 'waiting') return agents('○', 'dim', `${role} waits for a slot`);
  if (run.status === 'requested') return agents('◐', 'accent', `${role} is being set up`);
  return agents('●', 'good', `${role} ${formatDuration(now - (run.startedAt ?? run.requestedAt))}`);
}

function turnWithoutRun(facts: ItemFacts, dispatch: EngineSnapshot['dispatch']): Turn {
  const { item, openBlockers, lastRun, revision } = facts;
  const isCancelled = lastRun?.status === 'cancelled';
  switch (item.status) {
    case 'pending':
      if (openBlockers.length > 0) return agents('·', 'dim', `waits for ${openBlockers.map(numbered).join(' ')}`);
      if (isCancelled) return you('■', 'warn', 'dispatch again (was cancelled)');
      if (lastRun?.status === 'failed') return you('✗', 'bad', 'dispatch again (it failed)');
      return agents('·', 'dim', 'gets ready');
    case 'ready':
    case 'unblocked':
    case 'needs-changes':
      if (isCancelled) return you('■', 'warn', 'dispatch again (was cancelled)');
      if (dispatch === 'auto') return agents('○', 'dim', 'waits for an implementor');
      return item.status === 'needs-changes'
        ? you('↩', 'warn', 'dispatch for changes')
        : you('→', 'accent', 'dispatch');
    case 'in-progress':
      if (lastRun?.status === 'completed') return agents('◐', 'accent', 'publishing');
      return you('■', 'warn', 'dispatch again (no agent)');
    case 'review':
      return turnInReview(facts);
    case 'approved':
      if (revision === null) return you('!', 'bad', 'has no open pull request');
      if (revision.pipeline?.status === 'failure') return you('✗', 'bad', 'see why CI is red');
      if (isCIRunning(facts)) return agents('…', 'dim', 'waits for CI');
      return you('✓', 'good', 'merge');
    case 'needs-refinement':
      return you('?', 'warn', 'answer its question');
    case 'blocked':
    case 'closed':
      return you('!', 'bad', 'see what happened');
  }
}

function turnInReview(facts: ItemFacts): Turn {
  const { revision, lastRun } = facts;
  if (revision === null) return you('!', 'bad', 'has no open pull request');
  if (revision.isDraft) return you('→', 'accent', 'mark the draft ready');
  if (lastRun === null) return you('→', 'accent', 'start a reviewer');
  if (lastRun.status === 'cancelled') return you('■', 'warn', 'review again (was cancelled)');
  if (lastRun.status === 'failed') return you('✗', 'bad', 'review again (it failed)');
  if (lastRun.subject.role === 'reviewer') return agents('◐', 'accent', 'posting the review');
  return isCIRunning(facts) ? agents('…', 'dim', 'waits for CI') : agents('○', 'dim', 'waits for a reviewer');
}

function isCIRunning({ revision }: ItemFacts): boolean {
  return revision?.pipeline?.status === 'pending' && revision.pipeline.checkCount > 0;
}

function numbered(id: string): string {
  return `#${id}`;
}

function you(symbol: string, tone: Tone, step: string): Turn {
  return { whose: 'you', symbol, tone, step };
}

function agents(symbol: string, tone: Tone, step: string): Turn {
  return { whose: 'agents', symbol, tone, step };
}

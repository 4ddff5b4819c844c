import type { Run } from '../../domain/run.ts';
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
export function turnOf(facts: Facts, now: number): Turn {
  if (facts.run !== null) return turnOfRun(facts.run, now);
  if (facts.item === null) return you('✗', 'bad', 'see why planning failed');
  return turnWithoutRun(facts);
}

function turnOfRun(run: Run, now: number): Turn {
  const { role } = run.subject;
  if (run.status === 'waiting') return agents('○', 'dim', `${role} waits for a slot`);
  if (run.status === 'requested') return agents('◐', 'accent', `${role} is being set up`);
  return agents('●', 'good', `${role} ${formatDuration(now - (run.startedAt ?? run.requestedAt))}`);
}

function turnWithoutRun(facts: ItemFacts): Turn {
  const { item, openBlockers, lastRun, revision } = facts;
  const isCancelled = lastRun?.status === 'cancelled';
  switch (item.status) {
    case 'pending':
      if (openBlockers.length > 0) return agents('·', 'dim', `waits for ${openBlockers.map(numbered).join(' ')}`);
      if (isCancelled) return you('■', 'warn', 'dispatch again (was cancelled)');
      return lastRun?.status === 'failed' ? agents('↻', 'warn', 'tries again soon') : agents('·', 'dim', 'gets ready');
    case 'ready':
    case 'unblocked':
      return isCancelled ? you('■', 'warn', 'dispatch again (was cancelled)') : you('→', 'accent', 'dispatch');
    case 'needs-changes':
      return you('↩', 'warn', 'dispatch for changes');
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
  if (lastRun.status === 'failed') return agents('↻', 'warn', 'tries again soon');
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

import type { AgentFailedEvent, Retry } from '../../engine/engine-types.ts';
import { formatNextTry } from '../terminal/format-amounts.ts';

/** What is added to the line about a failure: when it is tried again by itself, if it is. `now` is in epoch ms. */
export function retryHint(
  { issueNumber }: Pick<AgentFailedEvent, 'issueNumber'>,
  retries: readonly Retry[],
  now: number,
): string {
  const id = issueNumber === undefined ? null : String(issueNumber);
  const retry = retries.find(({ workItemID }) => workItemID === id);
  // Without a pause it was the engine that ended, not the agent: it goes on at the next start.
  return retry === undefined || retry.at <= now ? '' : `  (${formatNextTry(retry.at, now)})`;
}

import type { SDKSystemMessage } from '@anthropic-ai/claude-agent-sdk';
import { RunError } from '../../ports.ts';

/**
 * Throws if a session has more tools than its agent may use: the SDK silently replaces an agent that it does not find
 * by its default one, with all tools.
 */
export function checkTools(init: Pick<SDKSystemMessage, 'tools'>, allowed: readonly string[]): void {
  const surplus = init.tools.filter((tool) => !allowed.includes(tool));
  if (surplus.length === 0) return;
  throw new RunError(
    'failed',
    `The session was stopped before its first turn: the SDK offers tools that the agent must not have (${surplus.join(', ')}).`,
  );
}

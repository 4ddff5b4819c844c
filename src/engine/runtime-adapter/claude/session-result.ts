import type { SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import { RunError } from '../../ports.ts';
import type { AgentUsage } from '../session/agent-runtime.ts';

/** What the agent returned, not validated. Throws RunError if the session did not end well. */
export function outputOf(result: SDKResultMessage): unknown {
  switch (result.subtype) {
    case 'success':
      // The SDK reports errors of the API as a success, too.
      if (result.is_error) throw apiFailure(result.result, result.api_error_status ?? null);
      return result.structured_output;
    case 'error_max_budget_usd':
      throw new RunError('over-budget', `The session was stopped at its budget: ${wordsOf(result.errors)}`);
    case 'error_max_structured_output_retries':
      throw new RunError('invalid-output', `The agent did not return what it has to: ${wordsOf(result.errors)}`);
    case 'error_max_turns':
      throw new RunError(
        'failed',
        `The session was stopped at its limit of turns (maxTurns in the agent's definition): ${wordsOf(result.errors)}`,
      );
    case 'error_during_execution':
      throw new RunError('failed', `The session failed: ${wordsOf(result.errors)}`);
  }
}

export function usageOf(result: SDKResultMessage | null, model: string | null): AgentUsage {
  if (result === null) return { model, turns: null, inputTokens: null, outputTokens: null, costUSD: null };
  return { model, turns: result.num_turns, costUSD: result.total_cost_usd, ...tokensOf(result) };
}

/** Of all models together. `usage` would leave out other models, and everything when the budget ended the session. */
export function tokensOf(result: SDKResultMessage): { inputTokens: number; outputTokens: number } {
  const models = Object.values(result.modelUsage);
  const sum = (tokens: (usage: (typeof models)[number]) => number) =>
    models.reduce((total, usage) => total + tokens(usage), 0);
  return {
    inputTokens: sum((usage) => usage.inputTokens + usage.cacheReadInputTokens + usage.cacheCreationInputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
  };
}

export function apiFailure(words: string, status: number | null): RunError {
  const advice =
    status === 401 || status === 403
      ? ' Check how Claude is logged in: ANTHROPIC_API_KEY, or `claude` on this machine.'
      : '';
  return new RunError('failed', `The Claude API refused the session: ${words}.${advice}`);
}

function wordsOf(errors: readonly string[]): string {
  return errors.length === 0 ? 'no reason was given.' : errors.join('; ');
}

import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { TranscriptEntry } from '../transcript/format-transcript.ts';
import { tokensOf } from './session-result.ts';

/** What a message says in plain words, for people to read: the agent's own text and nothing else. */
export function textsOf(message: SDKMessage): string[] {
  if (message.type !== 'assistant') return [];
  return message.message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

/** One entry for each part of a message. */
export function transcriptEntries(message: SDKMessage): TranscriptEntry[] {
  if (message.type === 'system' && message.subtype === 'init') {
    return [{ type: 'init', model: message.model, cwd: message.cwd, tools: message.tools }];
  }
  if (message.type === 'assistant') {
    return message.message.content.map((part): TranscriptEntry => {
      if (part.type === 'text') return { type: 'text', text: part.text };
      if (part.type === 'tool_use') return { type: 'tool-use', name: part.name };
      return { type: 'unknown', name: part.type, content: part };
    });
  }
  if (message.type === 'result') {
    return [
      {
        type: 'result',
        subtype: message.subtype,
        durationMs: message.duration_ms,
        costUSD: message.total_cost_usd,
        turns: message.num_turns,
        ...tokensOf(message),
      },
    ];
  }
  return [{ type: 'unknown', name: message.type, content: message }];
}

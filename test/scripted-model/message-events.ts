import type { Block, Turn } from './turn.ts';

/** The server-sent events with which the Messages API streams one assistant message. */
export function messageEvents(turn: Extract<Turn, { type: 'message' }>, id: string, model: string): string {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const callsTool = turn.blocks.some((block) => block.type === 'tool_use');
  return [
    event('message_start', {
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    }),
    ...turn.blocks.map((block, index) => blockEvents(block, index, `${id}_${String(index)}`)),
    event('message_delta', {
      delta: { stop_reason: callsTool ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { ...usage, output_tokens: turn.outputTokens },
    }),
    event('message_stop', {}),
  ].join('');
}

function blockEvents(block: Block, index: number, id: string): string {
  const opened =
    block.type === 'text'
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${id}`, name: block.name, input: {} };
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  return [
    event('content_block_start', { index, content_block: opened }),
    event('content_block_delta', { index, delta }),
    event('content_block_stop', { index }),
  ].join('');
}

function event(type: string, fields: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
